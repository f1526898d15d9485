import { WORLD_NAMES, worldEntry } from '../state/catalogue.js';
import { element } from './parts/element.js';

const ENTRIES = WORLD_NAMES.map(worldEntry);

const KEYS: [string, string][] = [
  ['W A S D, arrows', 'Fly or walk; Q and E or Page Down and Page Up for down and up; Shift is faster'],
  ['Drag', 'Look around; from above: orbit, with the right button pan'],
  ['Wheel', 'Forward and back; from above: zoom'],
  ['Touch', 'One finger looks, two fingers move and pinch'],
  ['Click', 'Pick an object in either view; from above, its node as well. Esc clears both'],
  ['Enter', 'The same, in the middle of the view'],
  ['N', 'Add objects where you click'],
  ['Delete', 'Delete the picked object'],
  ['P', 'Autopilot on or off'],
  ['Space or K', 'Pause, or go on'],
  ['M', 'The next way to draw'],
  ['G', 'Node boxes: above, in both views, none'],
  ['T', 'Light or dark'],
  ['? or H', 'This help'],
];
/** Where there is no keyboard. */
const GESTURES: [string, string][] = [
  ['One finger', 'Look around; from above: orbit'],
  ['Two fingers', 'Move and pinch; from above: pan and zoom'],
  ['Tap', 'Pick an object in either view; with Add on, add one'],
];
/** The help dialog: what the page shows, and its keys. */
export class Guide {
  readonly #dialog: HTMLDialogElement;
  readonly #examples = element('a', { href: './examples/' }, 'Examples');

  constructor(dialog: HTMLDialogElement, takeTour: () => void) {
    this.#dialog = dialog;
    const close = element('button', { type: 'button' }, 'Close');
    close.addEventListener('click', () => dialog.close());
    const tour = element('button', { type: 'button' }, 'Take the tour');
    tour.addEventListener('click', () => {
      dialog.close();
      takeTour();
    });
    dialog.append(
      // Focused when the dialog opens: focus on the button at its end would scroll there.
      element('h2', { tabindex: '-1', autofocus: '' }, 'What you see'),
      element(
        'p',
        {},
        'One view is the player’s, who flies through the world. The other shows the same world from above: objects inside ',
        'the player’s frustum, objects its border cuts, and all the others, which are never drawn. The boxes are the ',
        'nodes of the tree that finds this out. Each world has controls of its own in the settings. “Your model” shows ',
        'and measures a .glb of yours, a .gltf with its files, or a folder of models; they stay on this device.',
      ),
      ...controls(),
      element('p', {}, this.#examples, ': pages of code, each of which does one thing.'),
      ...ENTRIES.flatMap(({ credit }) => (credit ? [element('p', {}, `${credit}.`)] : [])),
      element('div', { class: 'actions' }, tour, close),
    );
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  toggle(): void {
    if (this.#dialog.open) this.#dialog.close();
    else this.#show();
  }

  #show(): void {
    // The theme is in the address, and goes along.
    const theme = new URLSearchParams(location.search).get('theme');
    this.#examples.search = theme === null ? '' : `?theme=${theme}`;
    this.#dialog.showModal();
  }

  get open(): boolean {
    return this.#dialog.open;
  }
}

function controls(): Node[] {
  if (matchMedia('(hover: none) and (pointer: coarse)').matches) {
    return [element('h2', {}, 'Gestures'), listOf(GESTURES)];
  }
  return [
    element('h2', {}, 'Keys and gestures'),
    listOf(KEYS),
    ...ENTRIES.flatMap(({ title, keys }) => (keys ? [element('h2', {}, title), listOf(keys)] : [])),
  ];
}

function listOf(keys: readonly (readonly [string, string])[]): Node {
  const list = element('dl');
  for (const [key, meaning] of keys) list.append(element('dt', {}, key), element('dd', {}, meaning));
  return list;
}
