import { Camera, LineSegments, Mesh, MeshBasicMaterial, Scene, Vector3 } from 'three';
import { accelerate, explain, report, SceneIndex, stats } from 'three-scene-index';
import { SceneIndexTab } from 'three-scene-index/inspector';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Stage } from './Stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.make();
});
afterEach(() => stage.dispose());

/** What the tab shows is what the library says. */
function expectTrue(): void {
  const { index, camera } = stage;
  const seen = index.cull(camera);
  const { nodes, tracked, dynamic, quarantined } = stats(index);
  expect(seen.length).toBeGreaterThan(20);
  const expected = Object.entries({
    Objects: `${index.size}`,
    'In view': `${seen.length}`,
    'Checked by each update': `${dynamic} of ${tracked}`,
    'Left out, bounds are NaN': `${quarantined}`,
    Nodes: `${nodes}`,
  });
  expect(expected.map(([name]) => [name, stage.text(name)])).toEqual(expected);
}

/** The nearest of the boxes that are seen whole. */
function inFront(): Mesh {
  const { camera, index, meshes } = stage;
  const seen = new Set(index.cull(camera));
  const inner = meshes.filter((mesh) => seen.has(mesh) && Math.hypot(mesh.position.x, mesh.position.y) < 5);
  return inner.reduce((a, b) => (a.position.z > b.position.z ? a : b));
}

const button = (text: RegExp) =>
  [...stage.content.querySelectorAll('button')].find(({ textContent }) => text.test(textContent)) as HTMLElement;

/** The outline of an object is the last child of the scene. */
const outline = () => stage.scene.children.at(-1) as LineSegments;

describe('numbers', () => {
  test('are those of the library, before and after things move, come and go', async () => {
    await stage.untilBatched();
    expectTrue();
    expect(Number(stage.text('Draw calls'))).toBeGreaterThan(0);
    const before = stage.text('In view');
    for (const mesh of stage.meshes.slice(0, 50)) mesh.position.multiplyScalar(0.4);
    stage.scene.remove(...stage.meshes.slice(150));
    stage.index.setStatic(stage.meshes[80]);
    stage.meshes[81].position.x = Number.NaN;
    await stage.frames(3);
    expectTrue();
    expect(stage.text('In view')).not.toBe(before);
    expect(stage.text('Left out, bounds are NaN')).toBe('1');
  });

  test('come by themselves, and cost nothing while the tab is hidden', async () => {
    const cull = vi.spyOn(stage.index, 'cull');
    for (const [hide, show] of [
      [() => stage.show(false), () => stage.show(true)],
      [() => stage.inspector.setVisible(false), () => stage.inspector.setVisible(true)],
    ]) {
      await stage.frames(2);
      expect(cull).toHaveBeenCalled();
      expect(stage.text('Objects')).toBe(`${stage.index.size}`);
      hide();
      await stage.frames(1);
      cull.mockClear();
      stage.scene.remove(stage.scene.children.at(-1) as Mesh);
      const before = stage.text('Objects');
      await stage.frames(5);
      expect(cull).not.toHaveBeenCalled();
      expect(stage.text('Objects')).toBe(before);
      show();
    }
  });
});

test('what is not in batches is listed by reason, and explained by a click', async () => {
  await stage.untilBatched();
  const material = new MeshBasicMaterial({ wireframe: true });
  const odd = [1, 2].map((x) => new Mesh(stage.meshes[0].geometry, material).translateX(x));
  stage.scene.add(...odd);
  await stage.frames(6);
  const [row] = report(stage.index).filter(({ reason }) => reason === 'its material has wireframe: true');
  expect(row.count).toBe(2);
  const shown = button(/wireframe/);
  expect(shown.textContent).toBe(`2: ${row.reason}${row.advice}`);
  await stage.frames(3);
  expect(button(/wireframe/)).toBe(shown);
  shown.click();
  expect(odd).toContain(stage.tab.selected);
  for (const mesh of odd) mesh.removeFromParent();
  stage.tab.select(null);
  await stage.frames(2);
  expect(stage.content.innerText).not.toContain('wireframe: true');
  stage.index.batch(stage.scene, false);
  await stage.frames(2);
  expect(stage.content.innerText).toContain('Nothing, or the scene is not drawn in batches.');
});

describe('an object', () => {
  test('is explained when it is clicked, and not when something is dragged', async () => {
    const mesh = inFront();
    const clicked = (drag = 0) => [stage.click(mesh, drag), stage.tab.selected];
    expect(clicked(20)).toEqual([true, null]);
    expect(clicked(2)).toEqual([true, mesh]);
    expect(stage.content.innerText).toContain(mesh.name);
    expect(stage.content.innerText).toContain(explain(stage.index, mesh, stage.camera)[0]);
    expect(outline()).toBeInstanceOf(LineSegments);
    expect(stage.index.has(outline())).toBe(false);
    for (const step of [0, 1]) {
      mesh.position.x += step;
      await stage.frames(2);
      expect(outline().position.distanceTo(mesh.position)).toBeLessThan(1e-6);
    }
    mesh.position.x -= 1;
    mesh.visible = false;
    await stage.frames(2);
    expect(stage.content.innerText).toContain('It is hidden: its visible is false.');
    // What cannot be seen cannot be clicked.
    stage.click(mesh);
    expect(stage.tab.selected).not.toBe(mesh);
    stage.show(false);
    mesh.visible = true;
    stage.tab.select(null);
    expect(outline()).not.toBeInstanceOf(LineSegments);
    expect(clicked()).toEqual([true, null]);
  });

  test('is enclosed where it is, in a scene that is moved and after it has gone', async () => {
    const mesh = inFront();
    stage.scene.position.set(1, 0, 0);
    stage.tab.select(mesh);
    await stage.frames(2);
    const at = (object: Mesh | LineSegments) => new Vector3().setFromMatrixPosition(object.matrixWorld);
    expect(at(outline()).distanceTo(at(mesh))).toBeLessThan(1e-6);
    mesh.removeFromParent();
    await stage.frames(3);
    expect(stage.tab.selected).toBe(mesh);
    expect(stage.content.innerText).toContain('It is not followed');
  });
});

test('removed, with the index or without, it leaves scene, canvas and Inspector as they were', async () => {
  const { canvas, scene, tab, index, inspector } = stage;
  const children = [...scene.children];
  const names = Object.getOwnPropertyNames(scene);
  const removed = vi.spyOn(canvas, 'removeEventListener');
  stage.click(inFront());
  expect(scene.children.length).toBe(children.length + 1);
  inspector.removeTab(tab);
  expect(removed.mock.calls.map(([type]) => type)).toEqual(['pointerdown', 'pointerup']);
  expect(stage.click(inFront())).toBe(true);
  expect(tab.selected).toBe(null);
  expect(scene.children).toEqual(children);
  expect(Object.getOwnPropertyNames(scene)).toEqual(names);
  expect(stage.content).toBe(null);
  const cull = vi.spyOn(index, 'cull');
  await stage.frames(3);
  expect(cull).not.toHaveBeenCalled();
  const another = new SceneIndexTab(index, stage.camera);
  inspector.addTab(another).setActiveTab(another);
  another.select(inFront());
  index.dispose();
  await stage.frames(2);
  expect(stage.content).toBe(null);
  expect(scene.children).toEqual(children);
});

test('what is not legal throws, and says what', () => {
  const index = new SceneIndex(new Scene());
  const make = (...args: unknown[]) => Reflect.construct(SceneIndexTab, args);
  expect(() => make({})).toThrow(new TypeError('SceneIndexTab.index: must be a SceneIndex, got [object Object]'));
  expect(() => make(index)).toThrow(/SceneIndexTab.camera: must be a Camera/);
  expect(() => make(index, new Scene())).toThrow(/SceneIndexTab.camera: must be a Camera/);
  expect(() => make(index, new Camera(), null)).toThrow('SceneIndexTab: options must be an object, got null');
  expect(() => make(index, new Camera(), { near: 1 })).toThrow(/SceneIndexTab: unknown option "near"/);
  const tab = new SceneIndexTab(index, new Camera());
  expect(() => tab.select({} as Mesh)).toThrow(/SceneIndexTab.select/);
  index.dispose();
  expect(() => make(index, new Camera())).toThrow(/disposed/);
  expect(() => make(accelerate(new Scene()), new Camera())).not.toThrow();
});
