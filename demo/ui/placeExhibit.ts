import type { Exhibit } from '../worlds/Exhibit.js';
import { byId } from './element.js';

/** What only a world with a player and a scene has a use for. */
const OF_SCENES = '#player, #above, #hud, #autopilot, #add, [data-mode]';

/** Puts an exhibit in place of the views and the instruments; null brings these back. */
export function placeExhibit(exhibit: Exhibit | null): void {
  for (const part of document.querySelectorAll<HTMLElement>(OF_SCENES)) part.hidden = exhibit !== null;
  if (!exhibit) return;
  // Before whatever lies over the views.
  byId('above').after(exhibit.element);
  byId('hud').after(exhibit.instruments);
}
