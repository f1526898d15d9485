import * as THREE from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadAllBatching, ROWS, type Row, Stage, watchBatches } from './Stage.js';

/** The states of a mesh in the next pictures, by that in which it was: see `ROWS`. */
type States = readonly [fresh: string, few: string, next: string, seated: string, alone: string];

const STAYS: States = ['next > seated', 'few', 'seated', 'seated', 'alone'];
const REJOINS: States = ['next > seated', 'few', 'next > seated', 'next > seated', 'alone'];
const JOINS: States = ['next > seated', 'next > seated', 'next > seated', 'next > seated', 'alone'];
const FULL: States = ['next > full', 'few', 'full', 'next > full', 'alone'];
const always = (state: string, alone = 'alone'): States => [state, state, state, state, alone];
const ALWAYS_FEW = always('few');

/** What can happen to a mesh between two pictures, or within one, and what takes it back. */
interface Event {
  readonly states: States;
  readonly act: (stage: Stage) => void;
  readonly undo: (stage: Stage) => void;
}

const set = (states: States, change: (stage: Stage) => () => unknown): Event => {
  let undo: () => unknown = () => {};
  return {
    states,
    act(stage) {
      undo = change(stage);
    },
    undo: () => undo(),
  };
};

/** Assigns properties to something of the stage, and takes them back. */
const assign = <T extends object>(states: States, of: (stage: Stage) => T, changes: () => Partial<T>): Event =>
  set(states, (stage) => {
    const target = of(stage);
    const wanted = changes();
    const before = Object.fromEntries(Object.keys(wanted).map((name) => [name, target[name as keyof T]]));
    Object.assign(target, wanted);
    return () => Object.assign(target, before);
  });

/** Stretches along an axis what is turned around another. */
const shear = (along: 'y' | 'z', around: 'x' | 'y' | 'z'): Event =>
  set(always('sheared'), ({ mesh, holder }) => {
    holder.scale[along] = 1.5;
    mesh.rotation[around] = 0.5;
    return () => {
      holder.scale[along] = 1;
      mesh.rotation[around] = 0;
    };
  });

/** Gives a mesh a list of two materials for its two triangles. */
const toList = set(['next > seated', 'next > seated', 'seated', 'away > seated', 'alone'], ({ mesh }) => {
  const { geometry, material } = mesh as THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  mesh.geometry = new THREE.PlaneGeometry();
  mesh.geometry.addGroup(0, 3, 0);
  mesh.geometry.addGroup(3, 3, 1);
  mesh.material = [material, material.clone()] as THREE.MeshLambertMaterial[];
  return () => Object.assign(mesh, { geometry, material });
});

/** Gives a mesh a list of two materials, which has a change later. */
const listed = (
  states: States,
  change: (materials: THREE.MeshLambertMaterial[], mesh: THREE.Mesh) => unknown,
): Event => ({
  states,
  act: (stage) => {
    toList.act(stage);
    for (let i = 0; i < 8; i++) stage.draw();
    change(stage.mesh.material as THREE.MeshLambertMaterial[], stage.mesh);
  },
  undo: toList.undo,
});

/** The same while batches may take no more memory. */
const withoutMemory = ({ states, act, undo }: Event): Event => {
  let limit = 0;
  const limitOf = ({ memory }: Stage) => memory as { limit: number };
  return {
    states,
    act(stage) {
      ({ limit } = limitOf(stage));
      limitOf(stage).limit = 0;
      act(stage);
    },
    undo(stage) {
      limitOf(stage).limit = limit;
      undo(stage);
    },
  };
};

const mesh = ({ mesh }: Stage) => mesh;
const scale = ({ mesh }: Stage) => mesh.scale;
const layers = ({ mesh }: Stage) => mesh.layers;
const geometry = ({ mesh }: Stage) => mesh.geometry;
const large = () => new THREE.PlaneGeometry(1, 1, 9, 9);

const EVENTS = {
  nothing: { states: STAYS, act() {}, undo() {} },
  'only a shadow pass sees it': set(['unseen > seated', 'few', 'seated', 'seated', 'alone'], ({ camera }) => {
    camera.position.x = 1e4;
    camera.updateMatrixWorld();
    return () => {
      camera.position.x = 0;
      camera.updateMatrixWorld();
    };
  }),
  moves: assign(
    STAYS,
    ({ mesh }) => mesh.position,
    () => ({ x: 5 }),
  ),
  'is mirrored': assign(ALWAYS_FEW, scale, () => ({ x: -1 })),
  'is sheared': shear('y', 'z'),
  'is sheared in depth': shear('z', 'y'),
  'is sheared the third way': shear('z', 'x'),
  'is scaled in one direction': assign(STAYS, scale, () => ({ y: 2, z: 3 })),
  'is hidden': assign(['new', 'few', 'seated', 'seated', 'alone'], mesh, () => ({ visible: false })),
  'gets a geometry of its own': assign(['next > seated', 'few', 'seated', 'next > seated', 'alone'], mesh, () => ({
    geometry: new THREE.PlaneGeometry(2, 2),
  })),
  'gets a geometry of another layout': assign(ALWAYS_FEW, mesh, () => ({
    geometry: new THREE.PlaneGeometry().toNonIndexed(),
  })),
  'has its geometry edited': set(STAYS, ({ mesh }) => {
    const { position } = mesh.geometry.attributes;
    const edit = (x: number) => Object.assign(position.setX(0, x), { needsUpdate: true });
    edit(7);
    return () => edit(-0.5);
  }),
  'has its geometry drawn in part': set(STAYS, ({ mesh: { geometry } }) => {
    geometry.setDrawRange(3, 3);
    return () => geometry.setDrawRange(0, Number.POSITIVE_INFINITY);
  }),
  'has its geometry given an attribute': set(REJOINS, ({ mesh: { geometry } }) => {
    geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(12), 3));
    return () => geometry.deleteAttribute('color');
  }),
  'has its geometry given morph targets': set(always('morphs'), ({ mesh: { geometry } }) => {
    geometry.morphAttributes.position = [geometry.attributes.position as THREE.BufferAttribute];
    return () => Reflect.deleteProperty(geometry.morphAttributes, 'position');
  }),
  'gets a material that is like the others': assign(
    ['next > seated', 'few', 'seated', 'away > seated', 'alone'],
    mesh,
    () => ({ material: new THREE.MeshLambertMaterial({ color: 7 }) }),
  ),
  'gets a material that is unlike them': assign(['few', 'few', 'few', 'away > few', 'alone'], mesh, () => ({
    material: new THREE.MeshBasicMaterial({ fog: false }),
  })),
  'gets a list of materials': toList,
  'has one of a list of materials coloured': listed(always('seated'), ([, second]) => second.color.set(0xff0000)),
  'has one of a list of materials changed': listed(ALWAYS_FEW, ([, second]) => second.emissive.set(0xff0000)),
  'has one of a list of materials replaced': listed(
    always('wireframe'),
    (all) => (all[1] = new THREE.MeshLambertMaterial({ wireframe: true })),
  ),
  'has one of a list of materials taken away': listed(JOINS, (all) => all.pop()),
  'has one more in its list of materials': listed(JOINS, (all) => all.push(new THREE.MeshLambertMaterial())),
  'has its list of materials drawn in other parts': listed(JOINS, (_, mesh) => (mesh.geometry.groups[0].count = 0)),
  'has its material coloured': set(STAYS, ({ paint }) => {
    paint.color.set(0xffcc00);
    return () => paint.color.set(0x336699);
  }),
  'has its material changed': set(REJOINS, ({ paint }) => {
    paint.emissive.set(0x110000);
    return () => paint.emissive.set(0);
  }),
  'has its material change the shader': set(always('compiles'), ({ paint }) => {
    paint.onBeforeCompile = () => {};
    paint.needsUpdate = true;
    return () => {
      Reflect.deleteProperty(paint, 'onBeforeCompile');
      paint.needsUpdate = true;
    };
  }),
  'is put on another layer': assign(['new', 'few', 'few', 'seated', 'alone'], layers, () => ({ mask: 0b100 })),
  'is put on one more layer': assign(ALWAYS_FEW, layers, () => ({ mask: 0b101 })),
  'gets an order': assign(ALWAYS_FEW, mesh, () => ({ renderOrder: 3 })),
  'has its group get an order': assign(
    ALWAYS_FEW,
    ({ holder }) => holder,
    () => ({ renderOrder: 3 }),
  ),
  'casts no shadow': assign(ALWAYS_FEW, mesh, () => ({ castShadow: false })),
  'is told to be drawn by itself': set(always('forbidden', 'forbidden'), ({ index, mesh }) => {
    index.batch(mesh, false);
    return () => index.batch(mesh, true);
  }),
  'lies in a group that is told so': set(always('forbidden', 'forbidden'), ({ index, holder }) => {
    index.batch(holder, false);
    return () => index.batch(holder, true);
  }),
  'finds no memory': withoutMemory(assign(FULL, mesh, () => ({ geometry: large() }))),
  'has its geometry grow beyond memory': withoutMemory(
    assign(FULL, geometry, () => {
      const { attributes, index } = large();
      return { attributes, index };
    }),
  ),
  'gets a callback of its own': assign(always('alone'), mesh, () => ({ onAfterRender: () => {} })),
  'lies far away': set(STAYS, ({ mesh, camera }) => {
    const go = (x: number, right: number) => {
      mesh.position.x = x;
      camera.right = right;
      camera.updateProjectionMatrix();
    };
    go(4e4, 5e4);
    return () => go(3, 10);
  }),
  'goes and comes': set(REJOINS, ({ mesh, holder }) => {
    holder.remove(mesh).add(mesh);
    return () => holder.remove(mesh).add(mesh);
  }),
  goes: set(always('none', 'none'), ({ mesh, holder }) => {
    holder.remove(mesh);
    return () => holder.add(mesh);
  }),
} satisfies Record<string, Event>;

type Name = keyof typeof EVENTS;

/** The state and the number of slots once all is undone. */
function atTheEnd(name: Name, row: Row): [state: string, slots: number] {
  // A batch is kept until it has half of what it takes to make one.
  if (row === 'few' && name.includes('list of materials')) return ['seated', 7];
  return [row === 'new' || row === 'next' ? 'seated' : row, slotsOf(row)];
}

beforeAll(async () => {
  await loadAllBatching();
  watchBatches();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

describe.each(Object.keys(EVENTS) as Name[])('a mesh that %s', (name) => {
  it.each(ROWS)('and was %s', (row) => {
    const stage = Stage.of(row);
    const { states, act, undo } = EVENTS[name];
    const bytes: number[] = [];
    // In later turns it is not new any more, and buffers have grown, once, to twice the size.
    for (let turn = 1; turn <= (row === 'seated' ? 3 : 1); turn++) {
      act(stage);
      const seen = Array.from({ length: 6 }, () => stage.drawn());
      if (turn === 1) expect([...new Set(seen)].join(' > ')).toBe(states[ROWS.indexOf(row)]);
      undo(stage);
      for (let i = 0; i < 6; i++) stage.draw();
      if (turn === 1) expect([stage.state, stage.slots]).toEqual(atTheEnd(name, row));
      bytes.push(stage.bytes);
    }
    expect(Math.max(0, ...bytes.slice(2))).toBeLessThanOrEqual(Math.max(...bytes.slice(0, 2)));
    stage.dispose();
  });
});

/** Slots in use: those of the meshes beside it, of which two make no batch, and its own. */
function slotsOf(row: Row): number {
  if (row === 'few') return 4;
  return row === 'alone' ? 9 : 10;
}

describe('while a picture is made', () => {
  it.each(['seated', 'next', 'few', 'alone'] as const)('a mesh that goes and was %s is drawn to the end', (row) => {
    const stage = Stage.of(row);
    const slots = slotsOf(row);
    const own = row === 'seated' ? 1 : 0;
    stage.draw(() => stage.holder.remove(stage.mesh));
    stage.draw();
    expect(stage.slots).toBe(row === 'next' ? slots - 1 : slots - own);
    stage.dispose();
  });

  it.each(ROWS)('a mesh that is hidden and was %s casts no shadow any more', (row) => {
    const stage = Stage.of(row);
    stage.draw(() => {
      stage.mesh.visible = false;
    });
    stage.draw();
    stage.dispose();
  });

  it.each(ROWS)('an index that is disposed gives up its batches once it is over, whose mesh was %s', async (row) => {
    const stage = Stage.of(row);
    stage.draw(() => stage.index.dispose());
    await Promise.resolve();
    stage.dispose();
    stage.draw();
  });

  it.each<[Name, Row, string]>([
    ['moves', 'seated', 'seated'],
    ['is mirrored', 'seated', 'few'],
    ['gets a geometry of its own', 'seated', 'seated'],
    ['has its geometry edited', 'seated', 'seated'],
    ['is put on one more layer', 'seated', 'few'],
    ['has its group get an order', 'seated', 'few'],
    ['gets a material that is like the others', 'seated', 'seated'],
    ['is told to be drawn by itself', 'seated', 'forbidden'],
    ['nothing', 'new', 'seated'],
  ])('a mesh that %s and was %s is drawn as it is by a picture within it, and then %s', (name, row, then) => {
    const stage = Stage.of(row);
    const inner = stage.camera.clone();
    const { slots } = stage;
    stage.drawWithin(() => {
      EVENTS[name].act(stage);
      stage.draw(undefined, inner);
      // The picture around it is drawn from buffers that are as they were.
      expect(stage.slots).toBe(slots);
    });
    const states = Array.from({ length: 6 }, () => stage.drawn());
    expect([...new Set(states)].join(' > ')).toBe(then);
    EVENTS[name].undo(stage);
    stage.dispose();
  });

  it.each<Name>(['moves', 'has its geometry edited', 'has its material coloured'])(
    'a mesh that %s for a picture within it alone is drawn by that around it as it was',
    (name) => {
      const stage = Stage.of('seated');
      const inner = stage.camera.clone();
      const mirror = new THREE.Mesh(stage.plane, new THREE.MeshNormalMaterial());
      let reflect = (): void => {};
      mirror.onBeforeRender = () => reflect();
      stage.scene.add(mirror);
      stage.draw(() => {
        reflect = () => {
          reflect = () => {};
          EVENTS[name].act(stage);
          stage.draw(undefined, inner);
          EVENTS[name].undo(stage);
          stage.scene.updateMatrixWorld();
        };
      });
      stage.draw();
      stage.dispose();
    },
  );
});
