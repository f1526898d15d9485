import { beforeAll, describe, it } from 'vitest';
import { loadBatches } from './loadBatches.js';
import { runSceneScript } from './runSceneScript.js';
import type { Setting } from './SceneScript.js';
import { stepsOf } from './sceneText.js';

const PLAIN: Setting = {
  structure: 'looseOctree',
  mode: 'accelerate',
  capacity: 64,
  planar: false,
  isMaintained: false,
  cullCasters: false,
  scenes: 1,
};

/** What random scripts have found, as short as it got. */
const CASES: [label: string, steps: string, setting?: Partial<Setting>][] = [
  [
    'lights that came later to objects which are visited before',
    'add shared, add spot, add spot 1, wait',
    { cullCasters: true },
  ],
  ['what moves below a helper at rest', 'add planeHelper, rest [0], position 1 [0 0 1]'],
  ['what comes below a helper at rest', 'add planeHelper, rest [0], add shared 1 [0 0 0 1] @1'],
  ['calls of an update of its own after a touch', 'add shared, updateCounts 0 1 [1 0 0] @0, touch'],
  [
    'calls of an update of its own after the matrix of the scene was written',
    'add shared, updateCounts 0 1 [1 0 0] @0, sceneWorld [0 0 1]',
  ],
  [
    'a helper that lags, after the matrix of the scene was written',
    'add shared, add skinned, add skeletonHelper 1, sceneWorld [0 0 1] @0, moveScene [0 0 1]',
  ],
  ['a matrix that is written over', 'add shared @1, matrix [0 0 1]'],
  ['a matrix that is replaced', 'add shared [0 0 0 1] @1, unshare'],
  ['a matrix that is replaced in a helper', 'add directional, add directionalHelper, wait, wait, unshare 3'],
  ['a world matrix that three makes again', 'add shared, handWorld [0 0 1], autoWorld [1]'],
  ['levels of a LOD that were taken out of it', 'add lod, strayLevel 0 1 @8, wait @3'],
  ['a part of a LOD that was taken out by hand, before the LOD went', 'add lod [2 0 0 0] @1, spliceOut 4 @0, remove'],
  [
    'what came into a level that was left out of the index',
    'add lod, leaveOut 3 [0] @0, add shared 4 [0 0 0 2], wait, wait @2, wait @3, wait @1312879254',
  ],
  ['a LOD that was left out of the index', 'add lod, leaveOut 0 [0] @0, wait @3'],
  ['a level that was left out of the index', 'add lod, leaveOut 1 [0] @4, wait'],
  ['a matrix by hand', 'add shared @1, handMatrix [0 0 1]'],
  ['a world matrix by hand', 'add shared @1, world [0 0 1]'],
  ['a helper that is visited before its camera', 'add shared, add camera [0 0 0 1], add cameraHelper 1, wait'],
  ['matrices that are shared', 'add shared, add shared [0 0 0 1] @1, shareLocal 0 1, wait'],
  [
    'a matrix shared with what is visited before, though it came later',
    'add shared, add shared, add shared 1 [0 0 0 1], shareLocal 1 2',
  ],
  [
    'a helper of something at rest that moved after all',
    'add directional, rest [0] @0, add directionalHelper, nudge [0 0 1]',
  ],
  [
    'bounds of a helper of something at rest',
    'add planeHelper, add camera [0 0 0 1], add cameraHelper 2, rest 2 [0], wait',
  ],
  [
    'bounds of a helper of a skinned mesh that was placed by hand',
    'add skinned, add skeletonHelper, handWorld [0 0 1] @0, rest [0]',
  ],
  [
    'what lies below something at rest and was moved there and back',
    'add shared, add shared 1, rest 1 [0], thereAndBack 0 1 [0 0 1]',
  ],
  ['a helper that changed places with its light', 'add point, add pointHelper, reverseChildren, position [0 0 1]'],
  [
    'a helper that changed places with its light, in a group that came with them',
    'add group, add point 1, add pointHelper 1, remove, put, reverseChildren 1, position 1 [0 0 1]',
  ],
  [
    'a sprite that keeps its size from now on, below what updates itself',
    'add shared @0, add sprite 1 [0 0 -15 -8.862] @0, updateSuper 0 1 [0 0 0] @0, wait @1, spriteSize [0] @1, wait @1129079631',
  ],
  [
    'a sprite that moves in the update in which it begins to keep its size',
    'add sprite [0 0 -8] @1, spriteSize [0] @0, nudge [0 0 1] @1, wait @4',
  ],
  [
    'what is taken out by hand of what is taken out',
    'add group, add shared 1 [0 0 0 1] @1, emptyChildren 0 @0, remove',
  ],
  ['bounds of a vertex that moved', 'add own @1, vertex 4 [0 0 1]'],
  ['bounds of a morph target that moved', 'add morphed @1, morphTarget [0 0 0]'],
  [
    'a LOD in a clipping group in a LOD that is out of view',
    'add lod [133 0 0 0], add skinned, add directional, add planeHelper, add planeHelper, add lod [0 0 -6.587 0], add shared, add clipping 13, add lod 18, wait @2',
    { cullCasters: true },
  ],
  [
    'a batch that is drawn by its edges',
    'add point, add pointHelper, add pointHelper, add pointHelper, add pointHelper, add pointHelper, add pointHelper, wait, wait',
    { batch: true },
  ],
  [
    'what is drawn as it is before its matrices are made again',
    'add shared @0, wait @1, sceneAutoWorld [0] @0, sceneWorld [0 0 1] @1, wait @5',
  ],
  ['what is taken out by hand', 'add shared, spliceOut'],
  [
    'what is taken out by hand of what is taken out and put in again, beside a matrix by hand',
    'add group, add shared 1, add shared, handMatrix 2 [1 0 0], wait, spliceOut 1 @0, put',
  ],
  ['what is moved by hand', 'add shared [0 0 0 1], add shared 1 @1, splice 1'],
  [
    'a scene at rest with an index of its own, in what moves',
    'add group, add innerScene 1, nest @0, rest 1 [0], position [0 0 1]',
  ],
  ['a scene with an index of its own', 'add innerScene, nest @0, add shared 1 @1'],
  [
    'a scene with an index of its own in a scene that is hidden',
    'add innerScene, add shared 1, nest @0, sceneVisible [0] @2',
  ],
];

beforeAll(loadBatches);

describe('a scene with an index is what it is without, with', () => {
  it.each(CASES)('%s', (_label, steps, setting = {}) => {
    runSceneScript({ setting: { ...PLAIN, ...setting }, steps: stepsOf(steps) });
  });
});
