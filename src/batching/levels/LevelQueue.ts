import type { BufferGeometry } from 'three';
import type { VertexAttribute } from '../../scene/objects/attributes.js';
import type { LevelSource } from './makeLevels.js';

/** Attributes that count for what is drawn, how many of their numbers, and what each weighs. */
const WEIGHED: readonly (readonly [name: string, numbers: number, weight: number])[] = [
  ['normal', 3, 0.5],
  ['uv', 2, 0.5],
  ['color', 4, 1],
];

/** The numbers of a geometry with an index, copied: they may be sent to a worker. */
export function levelSourceOf({ attributes, index }: BufferGeometry): LevelSource {
  const position = attributes.position as VertexAttribute;
  const { count } = position;
  const positions = new Float32Array(3 * count);
  copyNumbers(position, 3, positions, 3, 0);
  const weights: number[] = [];
  const parts: [attribute: VertexAttribute, numbers: number, first: number][] = [];
  for (const [name, most, weight] of WEIGHED) {
    const attribute = attributes[name] as VertexAttribute | undefined;
    if (attribute === undefined) continue;
    const numbers = Math.min(most, attribute.itemSize);
    parts.push([attribute, numbers, weights.length]);
    for (let i = 0; i < numbers; i++) weights.push(weight);
  }
  const numbers = new Float32Array(weights.length * count);
  for (const [attribute, size, first] of parts) copyNumbers(attribute, size, numbers, weights.length, first);
  return { positions, attributes: numbers, weights, index: Uint32Array.from(index?.array ?? []) };
}

function copyNumbers(from: VertexAttribute, size: number, to: Float32Array, stride: number, first: number): void {
  const { count } = from;
  for (let v = 0; v < count; v++) for (let i = 0; i < size; i++) to[stride * v + first + i] = from.getComponent(v, i);
}
