import type { Exhibit } from '../worlds/contract/CustomView.js';
import { byId } from './parts/element.js';

/** What only a world with a player has a use for, and what only one that is seen from above. */
const OF_PLAYERS = '#player, #autopilot, [data-mode]';
const OF_SCENES = '#above, #hud, #add';

/** Puts an exhibit in place of the views and the instruments; null brings these back. */
export function placeExhibit(exhibit: Exhibit | null): void {
  hide(OF_PLAYERS, exhibit !== null && exhibit.camera === undefined);
  hide(OF_SCENES, exhibit !== null);
  if (!exhibit) return;
  // Before whatever lies over the views.
  if (exhibit.element) byId('above').after(exhibit.element);
  byId('hud').after(exhibit.instruments);
}

function hide(parts: string, isHidden: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>(parts)) part.hidden = isHidden;
}
