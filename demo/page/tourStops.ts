import type { Measurements } from '../measure/Measurements.js';
import type { Store } from '../state/Store.js';
import { number } from '../ui/parts/format.js';
import type { Stop } from '../ui/Tour.js';

/** What the tour tells of a world in two views. */
export function tourStops(measured: Measurements, store: Store): Stop[] {
  let { nodes } = store.settings;
  return [
    {
      title: 'This is a scene',
      text: () =>
        `${number(measured.total)} objects, seen from above. In every frame, three.js tests each one of them.`,
      about: '#above',
    },
    {
      title: 'This is what the camera sees',
      text: () =>
        `${number(measured.visible)} of them. From above they are coloured; everything grey is culled, which means that it is not drawn.`,
      about: '#player',
    },
    {
      title: 'This is what the index asked',
      text: () =>
        `It tested ${number(measured.boxesTested)} boxes in place of ${number(measured.total)} objects: a box outside the view is skipped with all that is in it.`,
      about: '#player, #above',
      show: () => {
        nodes = store.settings.nodes;
        store.set({ nodes: 'both' });
      },
      hide: () => store.set({ nodes }),
    },
    {
      title: 'This is what it costs',
      text: () =>
        'The same frames, drawn in turns with the index, in batches and by plain three. Figures appear once enough frames were measured.',
      about: '#hud',
    },
  ];
}
