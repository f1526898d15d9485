import {
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Scene,
  Sprite,
} from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../src/index.js';
import { boundsOf } from '../../src/scene/bounds/geometryBounds.js';
import { bufferFacts, stampOf } from '../../src/scene/facts/BufferFacts.js';
import { drawFacts } from '../../src/scene/facts/DrawFacts.js';
import { geometryFacts } from '../../src/scene/facts/GeometryFacts.js';
import { stampOfInstances } from '../../src/scene/facts/InstanceFacts.js';
import { nextLook, resumeLook } from '../../src/scene/facts/looks.js';
import { changesSince, rememberRanges } from '../../src/scene/facts/uploads.js';
import { eye } from '../helpers/cameras.js';
import { accelerated, boxOf, indexed } from '../helpers/indexed.js';
import { mainPass } from '../helpers/passes.js';
import { validateScene } from '../helpers/validateScene.js';

function within<T>(work: () => T, look = nextLook()): T {
  const before = resumeLook(look);
  try {
    return work();
  } finally {
    resumeLook(before);
  }
}

/** Counts how often the version of something is read from now on. */
function countReads(holder: { version: number }): () => number {
  let { version } = holder;
  let reads = 0;
  Object.defineProperty(holder, 'version', {
    configurable: true,
    get: () => {
      reads++;
      return version;
    },
    set: (value) => {
      version = value;
    },
  });
  return () => reads;
}

const numbers = (count: number): BufferAttribute => new BufferAttribute(new Float32Array(3 * count), 3);
const renew = (buffer: object | null): unknown => Object.assign(buffer as object, { needsUpdate: true });
const targetsOf = ({ morphAttributes }: BufferGeometry): object[] => morphAttributes.position as object[];
const positionOf = ({ attributes }: BufferGeometry): BufferAttribute => attributes.position as BufferAttribute;

/** Indexed, with a morph target and a group. */
function richGeometry(): BufferGeometry {
  const geometry = new BoxGeometry();
  geometry.morphAttributes.position = [numbers(24), numbers(24)] as never;
  return geometry;
}

const ASPECTS = ['vertices', 'shape', 'index', 'draws'] as const;

function stampsOf(geometry: BufferGeometry): Record<(typeof ASPECTS)[number], number> {
  const facts = geometryFacts(geometry);
  return {
    vertices: facts.lookAtVertices(),
    shape: facts.lookAtShape(),
    index: facts.lookAtIndex(),
    draws: drawFacts(geometry).lookAt(),
  };
}

const CHANGES: readonly [string, string, (geometry: BufferGeometry) => unknown][] = [
  ['nothing', '', () => {}],
  ['numbers without needsUpdate', '', (g) => positionOf(g).setX(0, 9)],
  ['positions', 'vertices shape draws', (g) => renew(positionOf(g))],
  ['another position attribute', 'vertices shape draws', (g) => g.setAttribute('position', positionOf(g).clone())],
  ['no positions', 'vertices shape draws', (g) => g.deleteAttribute('position')],
  ['points of wide lines', 'vertices shape draws', (g) => g.setAttribute('instanceStart', numbers(2))],
  ['a morph target', 'vertices shape', (g) => renew(targetsOf(g)[1])],
  ['another morph target', 'vertices shape', (g) => targetsOf(g).splice(0, 1, numbers(24))],
  ['fewer morph targets', 'vertices shape', (g) => targetsOf(g).pop()],
  ['morph targets that change places', 'vertices shape', (g) => targetsOf(g).reverse()],
  ['no morph targets', 'vertices shape draws', (g) => Reflect.deleteProperty(g.morphAttributes, 'position')],
  ['how morph targets count', 'vertices shape', (g) => Object.assign(g, { morphTargetsRelative: true })],
  ['the count of drawRange', 'shape draws', (g) => g.setDrawRange(0, 12)],
  ['the start of drawRange', 'shape draws', (g) => g.setDrawRange(6, Number.POSITIVE_INFINITY)],
  ['the index', 'index draws', (g) => renew(g.index)],
  ['another index', 'index draws', (g) => g.setIndex((g.index as BufferAttribute).clone())],
  ['no index', 'index draws', (g) => g.setIndex(null)],
  ['a normal', 'draws', (g) => renew(g.attributes.normal)],
  ['another attribute', 'draws', (g) => g.setAttribute('color', numbers(24))],
  ['an attribute of another name', 'draws', (g) => g.setAttribute('tint', g.attributes.uv).deleteAttribute('uv')],
  ['a freed array', 'draws', (g) => Object.assign(positionOf(g), { array: null })],
  ['a group', 'draws', (g) => Object.assign(g.groups[1], { materialIndex: 5 })],
  ['fewer groups', 'draws', (g) => g.groups.pop()],
  [
    'two at once',
    'vertices shape index draws',
    (g) => {
      positionOf(g).needsUpdate = true;
      g.setIndex(null);
    },
  ],
];

describe('a geometry', () => {
  it.each(CHANGES)('has new stamps for %s: %s', (_, aspects, change) => {
    const geometry = richGeometry();
    const before = stampsOf(geometry);
    expect(stampsOf(geometry)).toEqual(before);
    change(geometry);
    const after = stampsOf(geometry);
    expect(ASPECTS.filter((name) => after[name] !== before[name]).join(' ')).toBe(aspects);
    expect(stampsOf(geometry)).toEqual(after);
  });

  it('has another shape with its index while a part of that is drawn', () => {
    const geometry = richGeometry();
    geometry.setDrawRange(0, 6);
    for (const change of [
      () => renew(geometry.index),
      () => geometry.setIndex((geometry.index as BufferAttribute).clone()),
      () => geometry.setIndex(null),
    ]) {
      const { shape, vertices } = stampsOf(geometry);
      change();
      expect(stampsOf(geometry).shape).toBeGreaterThan(shape);
      expect(stampsOf(geometry).vertices).toBe(vertices);
    }
  });

  it('has another shape once nothing of it is drawn, or all again', () => {
    const geometry = new BoxGeometry().setIndex(null);
    const ranges = [0, Number.POSITIVE_INFINITY, -1, Number.POSITIVE_INFINITY, 3];
    const shapes = ranges.map((count) => {
      geometry.setDrawRange(0, count);
      return stampsOf(geometry).shape;
    });
    expect(new Set(shapes).size).toBe(ranges.length);
  });

  it('follows the buffer in which its attributes lie', () => {
    const make = () => new InterleavedBuffer(new Float32Array(30), 6);
    const buffer = make();
    const geometry = new BufferGeometry();
    const position = new InterleavedBufferAttribute(buffer, 3, 0);
    geometry
      .setAttribute('position', position as never)
      .setAttribute('normal', new InterleavedBufferAttribute(buffer, 3, 3) as never);
    for (const change of [() => renew(buffer), () => Object.assign(position, { data: make() })]) {
      const { draws } = stampsOf(geometry);
      change();
      expect(stampsOf(geometry).draws).toBeGreaterThan(draws);
    }
    const { shape } = stampsOf(geometry);
    position.data.needsUpdate = true;
    expect(stampsOf(geometry).shape).toBeGreaterThan(shape);
  });

  it('shares no stamp with another', () => {
    const [a, b] = [stampsOf(richGeometry()), stampsOf(richGeometry())];
    const stamps = [...Object.values(a), ...Object.values(b)].filter((stamp, i, all) => all.indexOf(stamp) === i);
    expect(stamps.length).toBe(8);
  });

  it('is compared once in a look, and anew for each question outside', () => {
    const geometry = richGeometry();
    const reads = countReads(positionOf(geometry));
    const ask = (): void => void [boundsOf(geometry), stampsOf(geometry), stampsOf(geometry)];
    within(ask);
    const once = reads();
    // Shapes keep the version themselves, so that buffers are made only for what is drawn in batches.
    expect(once).toBe(2);
    const look = nextLook();
    for (let i = 0; i < 5; i++) within(ask, look);
    expect(reads()).toBe(2 * once);
    ask();
    const { shape } = stampsOf(geometry);
    positionOf(geometry).needsUpdate = true;
    expect(stampsOf(geometry).shape).toBeGreaterThan(shape);
    expect(reads()).toBeGreaterThan(4 * once);
  });

  it('keeps its stamp in a look, and after one within it is compared again', () => {
    const geometry = richGeometry();
    const outer = nextLook();
    within(() => {
      const before = stampsOf(geometry);
      positionOf(geometry).needsUpdate = true;
      expect(stampsOf(geometry)).toEqual(before);
      const inner = within(() => stampsOf(geometry));
      expect(inner.shape).toBeGreaterThan(before.shape);
      expect(stampsOf(geometry)).toEqual(inner);
      (geometry.index as BufferAttribute).needsUpdate = true;
      within(() => expect(stampsOf(geometry).index).toBeGreaterThan(inner.index));
    }, outer);
  });

  it('has its change found after a getter has thrown', () => {
    const geometry = richGeometry();
    const before = stampsOf(geometry);
    positionOf(geometry).needsUpdate = true;
    Object.defineProperty(geometry.attributes.uv, 'count', {
      configurable: true,
      get: () => {
        throw new Error('broken');
      },
    });
    within(() => {
      for (let i = 0; i < 2; i++) expect(() => drawFacts(geometry).lookAt()).toThrow('broken');
    });
    Reflect.deleteProperty(geometry.attributes.uv, 'count');
    expect(stampsOf(geometry).draws).toBeGreaterThan(before.draws);
  });
});

describe('a buffer', () => {
  it('that geometries share is compared once in a look', () => {
    const shared = numbers(24);
    const geometries = Array.from({ length: 4 }, () => new BoxGeometry().setAttribute('uv1', shared));
    const reads = countReads(shared);
    within(() => {
      for (const geometry of geometries) stampsOf(geometry);
      stampOf(shared);
    });
    expect(reads()).toBe(1);
  });

  it('tells the ranges of its last version, to those who have the one before', () => {
    const buffer = numbers(24);
    const facts = bufferFacts(buffer);
    const first = facts.lookAt();
    buffer.addUpdateRange(3, 6);
    buffer.needsUpdate = true;
    const second = facts.lookAt();
    rememberRanges(facts);
    buffer.clearUpdateRanges();
    expect(changesSince(first, facts)).toEqual([{ start: 3, count: 6 }]);
    expect(changesSince(0, facts)[0].count).toBe(Number.POSITIVE_INFINITY);
    buffer.needsUpdate = true;
    buffer.addUpdateRange(9, 3);
    buffer.needsUpdate = true;
    facts.lookAt();
    rememberRanges(facts);
    // Two versions have come since.
    expect(changesSince(second, facts)[0].count).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('instances', () => {
  const crowd = (): InstancedMesh => new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 8);
  const batch = (): BatchedMesh => {
    const mesh = new BatchedMesh(8, 100, 100, new MeshBasicMaterial());
    mesh.addInstance(mesh.addGeometry(new BoxGeometry()));
    return mesh;
  };
  it.each<[string, () => InstancedMesh | BatchedMesh, (mesh: InstancedMesh | BatchedMesh) => unknown]>([
    ['matrices', crowd, (mesh) => renew((mesh as InstancedMesh).instanceMatrix)],
    ['other matrices', crowd, (mesh) => Object.assign(mesh, { instanceMatrix: crowd().instanceMatrix })],
    ['their number', crowd, (mesh) => Object.assign(mesh, { count: 7 })],
    ['another geometry', crowd, (mesh) => Object.assign(mesh, { geometry: new BoxGeometry(2) })],
    ['an edited geometry', crowd, (mesh) => renew(positionOf(mesh.geometry))],
    ['a matrix of a batch', batch, (mesh) => mesh.setMatrixAt(0, new Matrix4())],
    ['one more in a batch', batch, (mesh) => (mesh as BatchedMesh).addInstance(0)],
  ])('have a new stamp for %s', (_, make, change) => {
    const mesh = make();
    const before = stampOfInstances(mesh);
    expect(stampOfInstances(mesh)).toBe(before);
    change(mesh);
    const after = stampOfInstances(mesh);
    expect(after).toBeGreaterThan(before);
    expect(stampOfInstances(mesh)).toBe(after);
  });

  it('of a batch whose matrices have no version count as changed once in each look', () => {
    const mesh = batch();
    Object.assign(mesh, { _matricesTexture: {} });
    const inLook = () => within(() => [stampOfInstances(mesh), stampOfInstances(mesh)]);
    const [a, b] = inLook();
    expect(b).toBe(a);
    expect(inLook()[0]).toBeGreaterThan(a);
    expect(stampOfInstances(mesh)).not.toBe(stampOfInstances(mesh));
  });

  it('are compared once in a look', () => {
    const mesh = crowd();
    const reads = countReads(mesh.instanceMatrix);
    within(() => {
      for (let i = 0; i < 4; i++) stampOfInstances(mesh);
    });
    expect(reads()).toBe(1);
  });
});

/** Makes a geometry larger, as a page does. */
function stretch({ geometry }: Mesh, reach: number): void {
  positionOf(geometry).setX(0, reach).needsUpdate = true;
}

function expectReach(index: SceneIndex, mesh: Object3D, reach: number): void {
  expect(boxOf(index, mesh).max.x).toBe(reach);
  expect(validateScene(index)).toEqual([]);
}

describe('in a scene', () => {
  const meshes = (count: number): Mesh[] => Array.from({ length: count }, () => new Mesh(new BoxGeometry()));

  it('a geometry is read once by an update, however many meshes have it', () => {
    const [first, ...others] = meshes(50);
    for (const mesh of others) mesh.geometry = first.geometry;
    const index = indexed(new Scene().add(first, ...others));
    index.update();
    const reads = countReads(positionOf(first.geometry));
    for (const change of [() => {}, () => stretch(first, 4), () => others.map((mesh) => mesh.translateY(1))]) {
      change();
      const before = reads();
      index.update();
      expect(reads() - before).toBe(1);
    }
  });

  it('an edit shows in the next question, update and picture, wherever it was made', () => {
    const [first, second] = meshes(2);
    const scene = new Scene().add(first, second);
    const index = accelerated(scene);
    const draw = (): void => void mainPass(scene, eye());
    draw();
    stretch(first, 2);
    draw();
    expectReach(index, first, 2);
    // Twice in one frame, and between an update and a query that has seen the first.
    stretch(first, 3);
    draw();
    stretch(first, 4);
    draw();
    expectReach(index, first, 4);
    // In a method of its own, and of another.
    second.updateMatrixWorld = function (force): void {
      Mesh.prototype.updateMatrixWorld.call(this, force);
      stretch(first, 5);
      stretch(second, 6);
    };
    draw();
    expectReach(index, second, 6);
    Reflect.deleteProperty(second, 'updateMatrixWorld');
    draw();
    expectReach(index, first, 5);
    // In a picture within a picture.
    let isWithin = false;
    scene.onBeforeRender = ((before) =>
      function (this: Scene, ...args: Parameters<Scene['onBeforeRender']>): void {
        before.apply(this, args);
        if (isWithin) return;
        isWithin = true;
        stretch(first, 7);
        draw();
        expectReach(index, first, 7);
        isWithin = false;
        stretch(first, 8);
      })(scene.onBeforeRender);
    draw();
    index.update();
    expectReach(index, first, 8);
  });

  it('a sprite that moves, and has its centre moved, in one update is where it is', () => {
    const sprite = new Sprite();
    const index = indexed(new Scene().add(sprite, ...meshes(3)));
    index.update();
    for (let i = 1; i < 4; i++) {
      sprite.position.x = i;
      sprite.center.x = 0.5 + i;
      sprite.material.sizeAttenuation = i % 2 === 0;
      index.update();
      expect(boxOf(index, sprite).max.x).toBeCloseTo(i + Math.SQRT1_2 + i);
      expect(validateScene(index)).toEqual([]);
    }
  });
});
