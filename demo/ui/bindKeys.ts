import { modesOf } from '../state/catalogue.js';
import type { Mode, NodesIn, Settings } from '../state/Settings.js';
import type { Store } from '../state/Store.js';
import { otherTheme } from './bindBar.js';
import type { Guide } from './Guide.js';

interface Actions {
  guide: Guide;
  remove: () => void;
  clear: () => void;
}

const NODES: NodesIn[] = ['above', 'both', 'none'];

/** Keys that act once when pressed. FlyControls handles those that are held. */
export function bindKeys(store: Store, { guide, remove, clear }: Actions): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if ((event.target as HTMLElement).closest('input, select, textarea')) return;
    const { settings } = store;
    const key = event.key.toLowerCase();
    if (key === '?' || key === 'h') guide.toggle();
    // An open dialog gets all other keys.
    else if (guide.open) return;
    else if (key === 'escape') clear();
    else if (key === 'delete' || key === 'backspace') remove();
    else if (key === 'n') store.set({ adding: !settings.adding });
    else if (key === 'k' || (key === ' ' && !(event.target as HTMLElement).closest('button'))) {
      // Space would scroll.
      event.preventDefault();
      store.set({ paused: !settings.paused });
    } else if (key === 'p') store.set({ autopilot: !settings.autopilot });
    else if (key === 'm') store.set({ mode: nextMode(settings) });
    else if (key === 'g') store.set({ nodes: NODES[(NODES.indexOf(settings.nodes) + 1) % NODES.length]! });
    else if (key === 't') store.set({ theme: otherTheme(settings.theme) });
  });
}

/** The next way to draw of those that the world has. */
function nextMode({ mode, world }: Settings): Mode {
  const modes = modesOf(world);
  return modes[(modes.indexOf(mode) + 1) % modes.length]!;
}
