import type { CustomView } from '../worlds/contract/CustomView.js';
import { byId } from './parts/element.js';

/** Parts of the page that need a player, or the standard views. */
const REPLACED = '#player, #above, #autopilot, #modes, #hud, #add';

/** Puts a custom view in place of the views and the instruments; null brings these back. */
export function placeCustomView(customView: CustomView | null): void {
  for (const part of document.querySelectorAll<HTMLElement>(REPLACED)) part.hidden = customView !== null;
  if (!customView) return;
  // Before the elements that overlay the views.
  byId('above').after(customView.element);
  byId('hud').after(customView.instruments);
}
