import * as THREE from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { pairsOf } from '../helpers/pairs.js';
import { loadAllBatching, Stage, watchBatches } from './Stage.js';

type Change = (stage: Stage) => unknown;

const lambert = (values: object = {}): THREE.MeshLambertMaterial => new THREE.MeshLambertMaterial(values);
const listOf = (...colors: number[]): THREE.MeshLambertMaterial[] => colors.map((color) => lambert({ color }));
const grouped = (): THREE.PlaneGeometry => {
  const geometry = new THREE.PlaneGeometry();
  geometry.addGroup(0, 3, 0);
  geometry.addGroup(3, 3, 1);
  return geometry;
};

/** What may happen to a mesh in a batch, to what it shares with others, and to what it lies in. */
const CHANGES = {
  moves: ({ mesh }) => mesh.position.set(5, 4, 2),
  turns: ({ mesh }) => mesh.rotateZ(0.4),
  stretches: ({ mesh }) => mesh.scale.set(2, 3, 1),
  'is mirrored': ({ mesh }) => Object.assign(mesh.scale, { x: -mesh.scale.x }),
  'is flattened': ({ mesh }) => Object.assign(mesh.scale, { y: 0 }),
  'is sheared': ({ mesh, holder }) => {
    holder.scale.y = 1.5;
    mesh.rotation.z = 0.5;
  },
  'has its matrix written': ({ mesh }) => {
    mesh.matrixAutoUpdate = false;
    mesh.matrix.makeTranslation(1, 2, 3);
    mesh.matrixWorldNeedsUpdate = true;
  },
  'has its world matrix written': ({ mesh }) => {
    mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.makeTranslation(2, 1, 3);
  },
  'is updated by itself': ({ mesh }) => {
    mesh.position.x++;
    mesh.updateWorldMatrix(true, false);
  },
  'has its group moved': ({ holder }) => holder.position.set(1, -1, 0),
  'has its group hidden': ({ holder }) => Object.assign(holder, { visible: !holder.visible }),
  'has its group ordered': ({ holder }) => Object.assign(holder, { renderOrder: 3 }),
  'is hidden': ({ mesh }) => Object.assign(mesh, { visible: !mesh.visible }),
  'is put on another layer': ({ mesh }) => mesh.layers.set(2),
  'is put on one more layer': ({ mesh }) => mesh.layers.enable(2),
  'gets an order': ({ mesh }) => Object.assign(mesh, { renderOrder: 3 }),
  'casts no shadow': ({ mesh }) => Object.assign(mesh, { castShadow: !mesh.castShadow }),
  'receives shadows': ({ mesh }) => Object.assign(mesh, { receiveShadow: true }),
  'is never culled': ({ mesh }) => Object.assign(mesh, { frustumCulled: false }),
  'gets a geometry': ({ mesh }) => Object.assign(mesh, { geometry: new THREE.PlaneGeometry(2, 2) }),
  'gets a larger geometry': ({ mesh }) => Object.assign(mesh, { geometry: new THREE.PlaneGeometry(2, 2, 5, 5) }),
  'gets a geometry without an index': ({ mesh }) =>
    Object.assign(mesh, { geometry: new THREE.PlaneGeometry().toNonIndexed() }),
  'gets back the geometry of all': ({ mesh, plane }) => Object.assign(mesh, { geometry: plane }),
  'has vertices edited': ({ mesh }) => {
    const position = mesh.geometry.attributes.position as THREE.BufferAttribute;
    position.setX(0, position.getX(0) - 2).needsUpdate = true;
    position.addUpdateRange(0, 3);
  },
  'has others edited': ({ mesh }) => {
    const position = mesh.geometry.attributes.position as THREE.BufferAttribute;
    position.setY(1, position.getY(1) + 2).needsUpdate = true;
    position.addUpdateRange(3, 3);
  },
  'has its index edited': ({ mesh: { geometry } }) => {
    geometry.index?.setX(0, 3);
    Object.assign(geometry.index ?? {}, { needsUpdate: true });
  },
  'gets another index': ({ mesh }) => mesh.geometry.setIndex([0, 1, 2, 1, 0, 3]),
  'gets other positions': ({ mesh }) =>
    mesh.geometry.setAttribute('position', new THREE.PlaneGeometry(3, 3).attributes.position),
  'is drawn in part': ({ mesh }) => mesh.geometry.setDrawRange(3, 3),
  'gets another attribute': ({ mesh }) =>
    mesh.geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(12), 3)),
  'gets morph targets': ({ mesh: { geometry } }) =>
    Object.assign(geometry.morphAttributes, { position: [geometry.attributes.position] }),
  'gets parts': ({ mesh }) => Object.assign(mesh, { geometry: grouped() }),
  'has its geometry disposed': ({ mesh }) => mesh.geometry.dispose(),
  'gets a similar material': ({ mesh }) => Object.assign(mesh, { material: lambert({ color: 7 }) }),
  'gets an unlike material': ({ mesh }) =>
    Object.assign(mesh, { material: new THREE.MeshBasicMaterial({ fog: false }) }),
  'gets a transparent material': ({ mesh }) =>
    Object.assign(mesh, { material: lambert({ transparent: true, opacity: 0.5, color: 9 }) }),
  'gets a list of materials': ({ mesh }) => Object.assign(mesh, { material: listOf(0xff0000, 0x00ff00) }),
  'gets back the material of all': ({ mesh, paint }) => Object.assign(mesh, { material: paint }),
  'has its material coloured': ({ mesh }) => {
    for (const paint of paintsOf(mesh)) paint.color.set(0xffcc00);
  },
  'has its material changed': ({ mesh }) => {
    for (const paint of paintsOf(mesh)) paint.emissive?.set(0x110000);
  },
  'has its material hidden': ({ mesh }) => {
    for (const paint of paintsOf(mesh)) paint.visible = !paint.visible;
  },
  'has its material turned over': ({ mesh }) => {
    for (const paint of paintsOf(mesh)) Object.assign(paint, { side: THREE.DoubleSide, needsUpdate: true });
  },
  'has its material change the shader': ({ mesh }) => {
    for (const paint of paintsOf(mesh)) Object.assign(paint, { onBeforeCompile() {}, needsUpdate: true });
  },
  'gets a callback': ({ mesh }) => Object.assign(mesh, { onAfterRender() {} }),
  'is told to be drawn alone': ({ mesh, index }) => index.batch(mesh, false),
  'is told to be drawn with others': ({ mesh, index }) => index.batch(mesh, true),
  'is marked static': ({ mesh, index }) => index.setStatic(mesh),
  'gets a child': ({ mesh, plane, paint }) => mesh.add(new THREE.Mesh(plane, paint).translateX(2)),
  goes: ({ mesh }) => mesh.removeFromParent(),
  comes: ({ mesh, holder }) => holder.add(mesh),
  'goes elsewhere': ({ mesh, kin }) => kin[0].add(mesh),
  'goes by hand': ({ mesh, holder }) => {
    const at = holder.children.indexOf(mesh);
    if (at >= 0) holder.children.splice(at, 1);
  },
  'sees kin go': ({ kin }) => kin[0].removeFromParent(),
  'sees kin painted': ({ kin }) => Object.assign(kin[2], { material: lambert({ emissive: 3 }) }),
  'sees kin come': ({ scene, plane, paint }) => scene.add(new THREE.Mesh(plane, paint).translateY(-4)),
} satisfies { [name: string]: Change };

function paintsOf({ material }: THREE.Mesh): THREE.MeshLambertMaterial[] {
  return [material].flat() as THREE.MeshLambertMaterial[];
}

type Name = keyof typeof CHANGES;

/** What both changes, and the pictures after them, make of a mesh; null where all is as in plain three. */
function problemOf(first: Name, then: Name, isWithin: boolean): string | null {
  const stage = Stage.of('seated');
  try {
    CHANGES[first](stage);
    if (!isWithin) CHANGES[then](stage);
    else stage.drawWithin(() => CHANGES[then](stage));
    for (let frame = 0; frame < 4; frame++) stage.draw();
    return null;
  } catch (error) {
    return `${first}, ${then}: ${(error as Error).message.slice(0, 300)}`;
  } finally {
    stage.index.dispose();
  }
}

beforeAll(async () => {
  await loadAllBatching();
  watchBatches();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

it.each(['before the picture', 'within it'])('two changes of a mesh in a batch are drawn, the second %s', (when) => {
  const pairs = pairsOf(Object.keys(CHANGES) as Name[]).filter(
    ([first]) => when === 'before the picture' || first !== 'is marked static',
  );
  const problems = pairs.map(([first, then]) => problemOf(first, then, when === 'within it'));
  expect(pairs.length).toBeGreaterThan(40);
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});
