import { choice, toggle, type Values } from './Control.js';

export const STREET_CONTROLS = {
  place: choice('Place', 'street', { Street: 'street', 'Rooms of the museum': 'rooms' }),
  occlusion: toggle('Occlusion culling', true),
  buffer: toggle('Show the depth buffer', false),
};

export type StreetValues = Values<typeof STREET_CONTROLS>;
