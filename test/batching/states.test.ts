import * as THREE from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seeds } from '../helpers/width.js';
import { loadBatching, ROWS, type Row, Stage, watchBatches } from './Stage.js';

/** What can happen to a mesh between two pictures, or within one, and what takes it back. */
interface Event {
  readonly act: (stage: Stage) => void;
  readonly undo: (stage: Stage) => void;
}

const set = (change: (stage: Stage) => () => void): Event => {
  let undo = (): void => {};
  return {
    act(stage) {
      undo = change(stage);
    },
    undo: () => undo(),
  };
};

/** Assigns properties to something of the stage, and takes them back. */
function assign<T extends object>(of: (stage: Stage) => T, changes: (stage: Stage) => Partial<T>): Event {
  return set((stage) => {
    const target = of(stage);
    const wanted = changes(stage);
    const before = Object.fromEntries(Object.keys(wanted).map((name) => [name, target[name as keyof T]]));
    Object.assign(target, wanted);
    return () => Object.assign(target, before);
  });
}

/** Stretches along an axis what is turned around another. */
const shear = (along: 'y' | 'z', around: 'x' | 'y' | 'z'): Event =>
  set(({ mesh, holder }) => {
    holder.scale[along] = 1.5;
    mesh.rotation[around] = 0.5;
    return () => {
      holder.scale[along] = 1;
      mesh.rotation[around] = 0;
    };
  });

/** Gives a mesh a list of two materials for its two triangles. */
const toList = set(({ mesh }) => {
  const { geometry, material } = mesh as THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  mesh.geometry = new THREE.PlaneGeometry();
  mesh.geometry.addGroup(0, 3, 0);
  mesh.geometry.addGroup(3, 3, 1);
  mesh.material = [material, material.clone()] as THREE.MeshLambertMaterial[];
  return () => Object.assign(mesh, { geometry, material });
});

/** Gives a mesh a list of two materials, which has a change later. */
const listed = (change: (materials: THREE.MeshLambertMaterial[]) => unknown): Event => ({
  act: (stage) => {
    toList.act(stage);
    for (let i = 0; i < 8; i++) stage.draw();
    change(stage.mesh.material as THREE.MeshLambertMaterial[]);
  },
  undo: toList.undo,
});

const mesh = ({ mesh }: Stage) => mesh;
const unlike = () => new THREE.MeshBasicMaterial({ fog: false });

const EVENTS = {
  nothing: { act() {}, undo() {} },
  'only a shadow pass sees it': set(({ camera }) => {
    camera.position.x = 1e4;
    camera.updateMatrixWorld();
    return () => {
      camera.position.x = 0;
      camera.updateMatrixWorld();
    };
  }),
  moves: set(({ mesh }) => {
    mesh.position.x += 2;
    return () => mesh.position.set(3, 5, 1);
  }),
  'is mirrored': set(({ mesh }) => {
    mesh.scale.x = -1;
    return () => mesh.scale.set(1, 1, 1);
  }),
  'is sheared': shear('y', 'z'),
  'is sheared in depth': shear('z', 'y'),
  'is sheared the third way': shear('z', 'x'),
  'is scaled in one direction': set(({ mesh }) => {
    mesh.scale.set(1, 2, 3);
    return () => mesh.scale.set(1, 1, 1);
  }),
  'is hidden': assign(mesh, () => ({ visible: false })),
  'gets a geometry of its own': assign(mesh, () => ({ geometry: new THREE.PlaneGeometry(2, 2) })),
  'gets a geometry of another layout': assign(mesh, () => ({ geometry: new THREE.PlaneGeometry().toNonIndexed() })),
  'has its geometry edited': set(({ mesh }) => {
    const own = mesh.geometry;
    const { position } = own.attributes;
    position.setX(0, 7);
    position.needsUpdate = true;
    return () => {
      position.setX(0, -0.5);
      position.needsUpdate = true;
    };
  }),
  'has its geometry drawn in part': set(({ mesh: { geometry } }) => {
    geometry.setDrawRange(3, 3);
    return () => geometry.setDrawRange(0, Number.POSITIVE_INFINITY);
  }),
  'has its geometry given an attribute': set(({ mesh: { geometry } }) => {
    geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(12), 3));
    return () => geometry.deleteAttribute('color');
  }),
  'has its geometry given morph targets': set(({ mesh: { geometry } }) => {
    geometry.morphAttributes.position = [geometry.attributes.position as THREE.BufferAttribute];
    return () => {
      delete geometry.morphAttributes.position;
    };
  }),
  'gets a material that is like the others': assign(mesh, () => ({
    material: new THREE.MeshLambertMaterial({ color: 7 }),
  })),
  'gets a material that is unlike them': assign(mesh, () => ({ material: unlike() })),
  'gets a list of materials': toList,
  'has one of a list of materials coloured': listed(([, second]) => second.color.set(0xff0000)),
  'has one of a list of materials changed': listed(([, second]) => second.emissive.set(0xff0000)),
  'has one of a list of materials replaced': listed(
    (all) => (all[1] = new THREE.MeshLambertMaterial({ wireframe: true })),
  ),
  'has one of a list of materials taken away': listed((all) => all.pop()),
  'has one more in its list of materials': listed((all) => all.push(new THREE.MeshLambertMaterial())),
  'has its list of materials drawn in other parts': set((stage) => {
    toList.act(stage);
    for (let i = 0; i < 8; i++) stage.draw();
    stage.mesh.geometry.groups[0].count = 0;
    return () => toList.undo(stage);
  }),
  'has its material coloured': set(({ paint }) => {
    paint.color.set(0xffcc00);
    return () => paint.color.set(0x336699);
  }),
  'has its material changed': set(({ paint }) => {
    paint.emissive.set(0x110000);
    return () => paint.emissive.set(0);
  }),
  'has its material change the shader': set(({ paint }) => {
    paint.onBeforeCompile = () => {};
    return () => Reflect.deleteProperty(paint, 'onBeforeCompile');
  }),
  'is put on another layer': set(({ mesh }) => {
    mesh.layers.set(2);
    return () => mesh.layers.set(0);
  }),
  'is put on one more layer': set(({ mesh }) => {
    mesh.layers.enable(2);
    return () => mesh.layers.set(0);
  }),
  'gets an order': assign(mesh, () => ({ renderOrder: 3 })),
  'has its group get an order': assign(
    ({ holder }) => holder,
    () => ({ renderOrder: 3 }),
  ),
  'casts no shadow': assign(mesh, () => ({ castShadow: false })),
  'is told to be drawn by itself': set(({ index, mesh }) => {
    index.batch(mesh, false);
    return () => index.batch(mesh, true);
  }),
  'lies in a group that is told so': set(({ index, holder }) => {
    index.batch(holder, false);
    return () => index.batch(holder, true);
  }),
  'finds no memory': set(({ mesh, memory }) => {
    const { geometry } = mesh;
    const bounds = memory as { limit: number };
    const { limit } = bounds;
    bounds.limit = 0;
    mesh.geometry = new THREE.PlaneGeometry(1, 1, 20, 20);
    return () => {
      bounds.limit = limit;
      mesh.geometry = geometry;
    };
  }),
  'has its geometry grow beyond memory': set(({ mesh: { geometry }, memory }) => {
    const bounds = memory as { limit: number };
    const { limit } = bounds;
    const { attributes, index } = geometry;
    const large = new THREE.PlaneGeometry(1, 1, 20, 20);
    bounds.limit = 0;
    Object.assign(geometry, { attributes: large.attributes, index: large.index });
    return () => {
      bounds.limit = limit;
      Object.assign(geometry, { attributes, index });
    };
  }),
  'gets a callback of its own': assign(mesh, () => ({ onAfterRender: () => {} })),
  'lies far away': set(({ mesh, camera }) => {
    mesh.position.x = 4e4;
    camera.right = 5e4;
    camera.updateProjectionMatrix();
    return () => {
      mesh.position.x = 3;
      camera.right = 10;
      camera.updateProjectionMatrix();
    };
  }),
  'goes and comes': set(({ mesh, holder }) => {
    holder.remove(mesh).add(mesh);
    return () => holder.remove(mesh).add(mesh);
  }),
  goes: set(({ mesh, holder }) => {
    holder.remove(mesh);
    return () => holder.add(mesh);
  }),
} satisfies Record<string, Event>;

type Name = keyof typeof EVENTS;

const REJOINS = ['next > seated', 'next > seated', 'next > seated', 'next > seated', 'alone'];

/** The states of a mesh in the next pictures, by that in which it was: see `ROWS`. */
const STATES: Readonly<Record<Name, readonly string[]>> = {
  nothing: ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'only a shadow pass sees it': ['unseen > seated', 'few', 'seated', 'seated', 'alone'],
  moves: ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'is mirrored': ['few', 'few', 'few', 'few', 'alone'],
  'is sheared': ['sheared', 'sheared', 'sheared', 'sheared', 'alone'],
  'is sheared in depth': ['sheared', 'sheared', 'sheared', 'sheared', 'alone'],
  'is sheared the third way': ['sheared', 'sheared', 'sheared', 'sheared', 'alone'],
  'is scaled in one direction': ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'is hidden': ['new', 'few', 'seated', 'seated', 'alone'],
  'gets a geometry of its own': ['next > seated', 'few', 'seated', 'next > seated', 'alone'],
  'gets a geometry of another layout': ['few', 'few', 'few', 'few', 'alone'],
  'has its geometry edited': ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'has its geometry drawn in part': ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'has its geometry given an attribute': ['next > seated', 'few', 'next > seated', 'next > seated', 'alone'],
  'has its geometry given morph targets': ['morphs', 'morphs', 'morphs', 'morphs', 'alone'],
  'gets a material that is like the others': ['next > seated', 'few', 'seated', 'away > next > seated', 'alone'],
  'gets a material that is unlike them': ['few', 'few', 'few', 'away > few', 'alone'],
  'gets a list of materials': ['next > seated', 'seated', 'seated', 'away > next > seated', 'alone'],
  'has one of a list of materials coloured': ['seated', 'seated', 'seated', 'seated', 'alone'],
  'has one of a list of materials changed': ['few', 'few', 'few', 'few', 'alone'],
  'has one of a list of materials replaced': ['wireframe', 'wireframe', 'wireframe', 'wireframe', 'alone'],
  'has one of a list of materials taken away': REJOINS,
  'has one more in its list of materials': REJOINS,
  'has its list of materials drawn in other parts': REJOINS,
  'has its material coloured': ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'has its material changed': ['next > seated', 'few', 'next > seated', 'next > seated', 'alone'],
  'has its material change the shader': ['compiles', 'compiles', 'compiles', 'compiles', 'alone'],
  'is put on another layer': ['new', 'few', 'few', 'seated', 'alone'],
  'is put on one more layer': ['few', 'few', 'few', 'few', 'alone'],
  'gets an order': ['few', 'few', 'few', 'few', 'alone'],
  'has its group get an order': ['few', 'few', 'few', 'few', 'alone'],
  'casts no shadow': ['few', 'few', 'few', 'few', 'alone'],
  'is told to be drawn by itself': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'lies in a group that is told so': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'finds no memory': ['next > full', 'few', 'full', 'next > full', 'alone'],
  'has its geometry grow beyond memory': ['next > full', 'few', 'full', 'next > full', 'alone'],
  'gets a callback of its own': ['alone', 'alone', 'alone', 'alone', 'alone'],
  'lies far away': ['next > seated', 'few', 'seated', 'seated', 'alone'],
  'goes and comes': ['next > seated', 'few', 'next > seated', 'next > seated', 'alone'],
  goes: ['new', 'new', 'new', 'new', 'new'],
};

const KEPT_WITH_LIST: Partial<Record<Row, readonly [string, number]>> = { few: ['seated', 7] };

/** What is not as it was before once all is undone, by the state and the number of slots; and why. */
const KEPT: { readonly [name in Name]?: Partial<Record<Row, readonly [string, number]>> } = {
  // A batch is kept until it has half of what it takes to make one.
  'gets a list of materials': KEPT_WITH_LIST,
  'has one of a list of materials coloured': KEPT_WITH_LIST,
  'has one of a list of materials changed': KEPT_WITH_LIST,
  'has one of a list of materials replaced': KEPT_WITH_LIST,
  'has one of a list of materials taken away': KEPT_WITH_LIST,
  'has one more in its list of materials': KEPT_WITH_LIST,
  'has its list of materials drawn in other parts': KEPT_WITH_LIST,
  // A material that was alone for a while is drawn alone.
  'has its material changed': { alone: ['alone', 6] },
};

beforeAll(async () => {
  await loadBatching();
  watchBatches();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

describe.each(Object.keys(EVENTS) as Name[])('a mesh that %s', (name) => {
  it.each(ROWS)('and was %s', (row) => {
    const stage = Stage.of(row);
    const [state, slots] = KEPT[name]?.[row] ?? [row === 'new' || row === 'next' ? 'seated' : row, slotsOf(row)];
    const { act, undo } = EVENTS[name];
    const bytes: number[] = [];
    for (const turn of seeds(4, 1)) {
      act(stage);
      const states = Array.from({ length: 6 }, () => stage.drawn());
      // In the second turn it is not new any more.
      if (turn === 1) expect([...new Set(states)].join(' > ')).toBe(STATES[name][ROWS.indexOf(row)]);
      undo(stage);
      for (let i = 0; i < 6; i++) stage.draw();
      if (turn === 1) expect([stage.state, stage.slots]).toEqual([state, slots]);
      bytes.push(stage.bytes);
    }
    // Buffers grow once, to twice the size.
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
    ['gets a material that is like the others', 'seated', 'away > next > seated'],
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
});
