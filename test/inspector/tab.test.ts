import { BufferGeometry, Camera, Group, LineSegments, Mesh, MeshBasicMaterial, Scene, Vector3 } from 'three';
import {
  accelerate,
  explain,
  report,
  SceneIndex,
  SceneIndexHelper,
  STRUCTURES,
  type StructureName,
  stats,
  survey,
  toMarkdown,
} from 'three-scene-index';
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
  const shape = stats(index);
  const batched = seen.filter((object) => explain(index, object, camera).join().includes('drawn in a batch')).length;
  expect(seen.length).toBeGreaterThan(20);
  const expected = Object.entries({
    Objects: index.size,
    Seen: seen.length,
    Culled: index.size - seen.length,
    'In batches': batched,
    'By themselves': seen.length - batched,
    Nodes: shape.nodes,
    Depth: shape.height,
    'Followed objects': shape.tracked,
    'Checked by each update': shape.dynamic,
  });
  expect(expected.map(([name]) => [name, stage.text(name)])).toEqual(
    expected.map(([name, count]) => [name, count.toLocaleString('en-GB')]),
  );
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

async function toggle(name: string): Promise<void> {
  stage.control<HTMLInputElement>(name).click();
  await stage.frames(2);
}

describe('numbers', () => {
  test('are those of the library, before and after things move, come and go', async () => {
    await stage.untilBatched();
    stage.tab.refresh();
    expectTrue();
    expect(Number(stage.text('In batches'))).toBeGreaterThan(20);
    const draws = Number(stage.text('Draw calls of the frame'));
    expect(draws).toBeGreaterThan(0);
    expect(draws).toBeLessThan(20);
    const before = stage.text('Seen');
    for (const mesh of stage.meshes.slice(0, 120)) mesh.position.multiplyScalar(0.4);
    stage.scene.remove(...stage.meshes.slice(390));
    stage.index.setStatic(stage.meshes[200]);
    await stage.frames(3);
    stage.tab.refresh();
    expectTrue();
    expect(stage.text('Seen')).not.toBe(before);
  });

  test('are of the objects that the index follows also where these change alone', async () => {
    await stage.frames(20);
    stage.scene.add(new Group());
    await stage.frames(5);
    expectTrue();
    stage.index.setStatic(stage.meshes[200]);
    await stage.frames(5);
    expectTrue();
    const lost = stage.meshes[201];
    lost.position.x = Number.NaN;
    await stage.frames(6);
    expectTrue();
    expect(stage.text('Left out, bounds NaN')).toBe('1');
  });

  test('of what is culled are right with objects that have no bounds', async () => {
    const everywhere = new Mesh(new BufferGeometry(), new MeshBasicMaterial());
    everywhere.frustumCulled = false;
    const hidden = new Set(stage.index.cull(stage.camera));
    for (const mesh of stage.meshes) if (!hidden.has(mesh)) stage.scene.remove(mesh);
    stage.scene.add(everywhere);
    await stage.frames(5);
    expect(stage.index.cull(stage.camera)).toContain(everywhere);
    expect(stage.text('Culled')).toBe('0');
    expect(Number(stage.text('Seen'))).toBe(Number(stage.text('Objects')) + 1);
  });

  test('come by themselves, and cost nothing while the tab is hidden', async () => {
    const cull = vi.spyOn(stage.index, 'cull');
    const show = vi.spyOn(stage.inspector, 'getRenderer');
    for (const hide of [
      () => stage.inspector.domElement.querySelector<HTMLElement>('.hide-panel-btn')?.click(),
      () => stage.inspector.setVisible(false),
    ]) {
      stage.tab.open();
      stage.inspector.setVisible(true);
      await stage.frames(5);
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
    }
    expect(show).toHaveBeenCalled();
  });
});

test('another structure, maintained and rebuilt, gives the same picture', async () => {
  await stage.untilBatched();
  const before = stage.picture();
  expect(new Set(before).size).toBeGreaterThan(10);
  const select = stage.control<HTMLSelectElement>('Structure');
  expect([...select.options].map(({ value }) => value)).toEqual([...STRUCTURES]);
  for (const name of [...STRUCTURES, 'packed' as StructureName]) {
    select.value = name;
    select.dispatchEvent(new Event('change'));
    expect(stage.index.structure).toBe(name);
    for (const text of [/^Maintain$/, /^Rebuild$/]) {
      button(text).click();
      expect(stage.content.querySelector('[role=status]')?.textContent).toMatch(/^Done in [\d.]+ ms\.$/);
    }
    await stage.frames(1);
    // One value of 230,400 after another, of which toEqual makes seconds.
    expect(stage.picture().every((value, i) => value === before[i])).toBe(true);
    expectTrue();
  }
});

test('batches are switched off and on', async () => {
  await stage.untilBatched();
  await toggle('Draw in batches');
  await stage.frames(2);
  expectTrue();
  expect(stage.text('In batches')).toBe('0');
  await toggle('Draw in batches');
  await stage.frames(3);
  expect(stage.text('By themselves')).toBe('0');
  expectTrue();
});

test('what is not in batches is listed by reason, and explained by a click', async () => {
  await stage.untilBatched();
  const material = new MeshBasicMaterial({ wireframe: true });
  const odd = [1, 2].map((x) => new Mesh(stage.meshes[0].geometry, material).translateX(x));
  stage.scene.add(...odd);
  await stage.frames(6);
  stage.tab.refresh();
  const [row] = report(stage.index).filter(({ reason }) => reason === 'its material has wireframe: true');
  expect(row.count).toBe(2);
  const shown = button(/wireframe/);
  expect([shown.textContent, shown.title]).toEqual([`2: ${row.reason}`, row.advice]);
  shown.click();
  expect(odd).toContain(stage.tab.selected);
  for (const mesh of odd) mesh.removeFromParent();
  await stage.frames(1);
  stage.tab.refresh();
  expect(stage.content.innerText).not.toContain('wireframe: true');
});

test('what the scene consists of is counted, and copied as Markdown', async () => {
  await stage.untilBatched();
  stage.tab.refresh();
  const { objects, triangles, materials } = survey(stage.index);
  const shown = ['Drawable objects', 'Triangles', 'Materials'].map((name) => stage.text(name));
  expect(shown).toEqual([objects, triangles, materials].map((count) => count.toLocaleString('en-GB')));
  expect([objects, triangles, materials]).toEqual([400, 4800, 3]);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  button(/^Copy report/).click();
  await vi.waitFor(() => expect(stage.content.innerText).toContain('Copied.'));
  expect(write).toHaveBeenCalledWith(toMarkdown(survey(stage.index)));
  write.mockRejectedValue(new Error('not allowed'));
  button(/^Copy report/).click();
  await vi.waitFor(() => expect(stage.content.innerText).toContain('did not allow'));
});

test('nodes are drawn in the scene, and taken out again', async () => {
  const before = [...stage.scene.children];
  await toggle('Show, coloured by depth');
  const [helper, ...others] = stage.scene.children.filter((child) => !before.includes(child));
  expect(others).toEqual([]);
  expect(helper).toBeInstanceOf(SceneIndexHelper);
  expect(stage.index.has(helper)).toBe(false);
  const { boxCount } = helper as SceneIndexHelper;
  expect(boxCount).toBe(stats(stage.index).nodes);
  expectTrue();
  const version = () => (helper as SceneIndexHelper).geometry.attributes.position.array.slice();
  const drawn = version();
  for (const mesh of stage.meshes) mesh.position.multiplyScalar(0.5);
  await stage.frames(2);
  expect(version()).not.toEqual(drawn);
  await toggle('Flat, as a map');
  expect((helper as SceneIndexHelper).flat).toBe(true);
  await toggle('Show, coloured by depth');
  expect(stage.scene.children).toEqual(before);
});

describe('an object', () => {
  test('is explained when it is clicked, and not when something is dragged', async () => {
    await toggle('Show, coloured by depth');
    const mesh = inFront();
    const clicked = (drag = 0) => [stage.click(mesh, drag), stage.tab.selected];
    expect(clicked()).toEqual([true, null]);
    await toggle('Click an object');
    expect(clicked(20)).toEqual([true, null]);
    expect(clicked(2)).toEqual([true, mesh]);
    expect(stage.text('Object')).toContain(mesh.name);
    expect(stage.text('Is seen')).toBe('yes');
    expect(stage.content.innerText).toContain(explain(stage.index, mesh, stage.camera)[0]);
    const outline = stage.scene.children.at(-1) as LineSegments;
    expect(outline).toBeInstanceOf(LineSegments);
    expect(stage.index.has(outline)).toBe(false);
    for (const step of [0, 1]) {
      mesh.position.x += step;
      await stage.frames(2);
      expect(outline.position.distanceTo(mesh.position)).toBeLessThan(1e-6);
    }
    mesh.position.x -= 1;
    mesh.visible = false;
    await stage.frames(2);
    expect(stage.content.innerText).toContain(explain(stage.index, mesh, stage.camera)[0]);
    // What cannot be seen cannot be clicked.
    stage.click(mesh);
    expect(stage.tab.selected).not.toBe(mesh);
    await toggle('Click an object');
    expect(stage.tab.selected).toBe(null);
    expect(outline.parent).toBe(null);
  });

  test('is enclosed where it is, in a scene that is moved and after it has gone', async () => {
    const mesh = inFront();
    stage.scene.position.set(1, 0, 0);
    stage.tab.select(mesh);
    await stage.frames(2);
    const outline = stage.scene.children.at(-1) as LineSegments;
    const at = (object: Mesh | LineSegments) => new Vector3().setFromMatrixPosition(object.matrixWorld);
    expect(at(outline).distanceTo(at(mesh))).toBeLessThan(1e-6);
    mesh.removeFromParent();
    await stage.frames(3);
    expect(stage.tab.selected).toBe(mesh);
    expect(stage.text('Is seen')).toBe('no');
    expect(stage.content.innerText).toContain('It is not followed');
  });

  test('is explained by its name, where it is not seen', async () => {
    const seen = new Set(stage.index.cull(stage.camera));
    const mesh = stage.meshes.find((one) => !seen.has(one)) as Mesh;
    const enter = (name: string) => {
      const input = stage.control<HTMLInputElement>('Object of name');
      input.value = name;
      input.dispatchEvent(new Event('change'));
    };
    enter(mesh.name);
    expect(stage.tab.selected).toBe(mesh);
    expect(stage.text('Object')).toContain(mesh.name);
    expect(stage.text('Is seen')).toBe('no');
    for (const reason of explain(stage.index, mesh, stage.camera)) expect(stage.content.innerText).toContain(reason);
    enter('nobody');
    expect(stage.tab.selected).toBe(null);
    expect(stage.content.innerText).toContain('nobody');
  });
});

describe('dispose', () => {
  test('leaves the scene, the canvas and the Inspector as they were', async () => {
    const { canvas, scene, tab, index } = stage;
    const children = [...scene.children];
    const names = Object.getOwnPropertyNames(scene);
    const added = vi.spyOn(canvas, 'addEventListener');
    const removed = vi.spyOn(canvas, 'removeEventListener');
    await toggle('Show, coloured by depth');
    await toggle('Click an object');
    stage.click(inFront());
    expect(scene.children.length).toBe(children.length + 2);
    expect(added).toHaveBeenCalled();
    tab.dispose();
    tab.dispose();
    const heard = (calls: unknown[][]) => calls.map(([type, listener]) => [type, listener]);
    expect(heard(removed.mock.calls)).toEqual(heard(added.mock.calls));
    expect(scene.children).toEqual(children);
    expect(Object.getOwnPropertyNames(scene)).toEqual(names);
    expect(stage.content).toBe(null);
    const cull = vi.spyOn(index, 'cull');
    tab.refresh();
    tab.select(children[1]);
    await stage.frames(3);
    expect(cull).not.toHaveBeenCalled();
    expect(scene.children).toEqual(children);
  });

  test('comes with that of the index', async () => {
    const children = [...stage.scene.children];
    await toggle('Show, coloured by depth');
    stage.index.dispose();
    stage.tab.refresh();
    await stage.frames(2);
    expect(stage.content).toBe(null);
    expect(stage.scene.children).toEqual(children);
  });
});

test('what is not legal throws, and says what', () => {
  const index = new SceneIndex(new Scene());
  const make = (...args: unknown[]) => Reflect.construct(SceneIndexTab, args);
  expect(() => make({})).toThrow(new TypeError('SceneIndexTab.index: must be a SceneIndex, got [object Object]'));
  expect(() => make(index, null)).toThrow(TypeError);
  expect(() => make(index, { camera: new Scene() })).toThrow(/SceneIndexTab.camera: must be a Camera/);
  expect(() => make(index, { title: 3 })).toThrow(/SceneIndexTab.title/);
  expect(() => make(index, { title: ' ' })).toThrow(RangeError);
  expect(() => make(index, { colour: 1 })).toThrow(/SceneIndexTab: unknown option "colour"/);
  const tab = new SceneIndexTab(index, { camera: new Camera(), title: 'Another' });
  expect(() => tab.select({} as Mesh)).toThrow(/SceneIndexTab.select/);
  expect(() => tab.open()).toThrow(/add the tab to an Inspector/);
  index.dispose();
  expect(() => make(index)).toThrow(/disposed/);
  expect(() => make(accelerate(new Scene()))).not.toThrow();
});
