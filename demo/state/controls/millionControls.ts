import { choice, range, type Values } from './Control.js';

export const MILLION_CONTROLS = {
  instances: range('Instances', 1_000_000, [1000, 1_000_000], 1000),
  kind: choice('Mesh', 'batched', { BatchedMesh: 'batched', InstancedMesh: 'instanced' }),
  renderer: choice('Renderer', 'webgl', { WebGL: 'webgl', WebGPU: 'webgpu' }),
  minPixels: range('Batch leaves out below, pixels', 0, [0, 16], 0.5),
};

export type MillionValues = Values<typeof MILLION_CONTROLS>;
