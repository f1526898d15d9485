import type { CustomView } from '../worlds/contract/CustomView.js';
import { byId } from './parts/element.js';

/** Parts of the page that need a player, a view from above, and both standard views. */
const OF_PLAYERS = '#player, #autopilot, #modes';
const OF_MAPS = '#above';
const OF_SCENES = '#hud, #add';

/** Puts a custom view in place of the views and the instruments; null brings these back. */
export function placeCustomView(customView: CustomView | null): void {
  hide(OF_PLAYERS, customView !== null && customView.camera === undefined);
  hide(OF_MAPS, customView !== null && !customView.hasAbove);
  hide(OF_SCENES, customView !== null);
  if (!customView) return;
  // Before the elements that overlay the views.
  if (customView.element) byId('above').after(customView.element);
  byId('hud').after(customView.instruments);
}

function hide(parts: string, isHidden: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>(parts)) part.hidden = isHidden;
}
