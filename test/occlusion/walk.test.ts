import { describe, expect, it } from 'vitest';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { queryVisible } from '../../src/occlusion/queryVisible.js';
import { enableSimd, IdList, LooseOctree, Packed } from '../../src/standalone.js';
import { Occluders, planesOf } from '../helpers/occlusion/occlude.js';
import { WORLDS } from '../helpers/occlusion/worlds.js';

enableSimd();

const HEIGHT = 90;

describe.each(['street', 'rooms', 'hills', 'forest'] as const)('%s', (name) => {
  it.each([Packed, LooseOctree])(
    '%o: what is visible is what is in the frustum and not hidden, in that order',
    (Kind) => {
      const world = WORLDS[name]();
      const index = new Kind();
      index.addAll(world.boxes);
      const occluders = new Occluders(world);
      const buffer = OcclusionBuffer.create(160, HEIGHT)!;
      let hidden = 0;
      for (const camera of world.cameras.slice(0, 4)) {
        const planes = planesOf(camera);
        const inView = new Uint8Array(world.size);
        const found = [...index.queryPlanes(planes, new IdList())];
        for (const id of found) inView[id] = 1;
        occluders.draw(buffer, camera, occluders.choose(camera, inView, HEIGHT));
        const expected = found.filter((id) => !buffer.isHidden(index.getBox(id), 0));
        expect([...queryVisible(index, planes, buffer)]).toEqual(expected);
        hidden += found.length - expected.length;
      }
      expect(hidden).toBeGreaterThan(100);
    },
  );
});
