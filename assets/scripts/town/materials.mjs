// The palette: a warm, slightly faded picture-book town. Colour is all there is, no textures.

import { MeshStandardMaterial } from 'three';

const COLORS = {
  Grass: 0x8fb65c,
  'Grass light': 0x9cc063,
  'Grass dark': 0x83ab58,
  Sand: 0xe3c98b,
  Earth: 0x8a6a4d,
  Water: 0x4f9fb5,
  Asphalt: 0x6d6f78,
  Paving: 0xd3c6b1,
  Stone: 0xa79f96,
  'Wall cream': 0xf4e6c8,
  'Wall rose': 0xe9b3a2,
  'Wall blue': 0xa9c4d4,
  'Wall ochre': 0xe8bf6f,
  'Wall sage': 0xb5c7a0,
  'Roof terracotta': 0xc2613f,
  'Roof brown': 0x8c4b3a,
  'Roof slate': 0x565f73,
  Wood: 0x7b5338,
  Glass: 0x3b5165,
  Leaf: 0x5f9147,
  Pine: 0x3c6e50,
  Blossom: 0xeaa5b4,
  Iron: 0x33373f,
  White: 0xfaf6ec,
};

export const materials = Object.fromEntries(
  Object.entries(COLORS).map(([name, color]) => [
    name,
    new MeshStandardMaterial({ name, color, roughness: 0.9, metalness: 0 }),
  ]),
);

// The one thing that shines: lanterns and the lighthouse lamp.
materials.Glow = new MeshStandardMaterial({
  name: 'Glow',
  color: 0xffe2a0,
  emissive: 0xd9a94f,
  roughness: 0.9,
  metalness: 0,
});
