import type { CustomView } from '../worlds/contract/CustomView.js';
import { byId } from './parts/element.js';

/** What only a world with a player has a use for, and what only one that is seen from above. */
const OF_PLAYERS = '#player, #autopilot, [data-mode]';
const OF_SCENES = '#above, #hud, #add';

/** Puts a custom view in place of the views and the instruments; null brings these back. */
export function placeCustomView(customView: CustomView | null): void {
  hide(OF_PLAYERS, customView !== null && customView.camera === undefined);
  hide(OF_SCENES, customView !== null);
  if (!customView) return;
  // Before whatever lies over the views.
  if (customView.element) byId('above').after(customView.element);
  byId('hud').after(customView.instruments);
}

function hide(parts: string, isHidden: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>(parts)) part.hidden = isHidden;
}
