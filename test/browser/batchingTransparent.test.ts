import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { random } from '../helpers/random.js';
import { BatchTwin, type Edit, eyeAt, loadTransparent, openStudio, type World, world } from './batching.js';

const SIZE = 96;
const studio = openStudio(SIZE);
const ahead = eyeAt(0, 0, 12);
const aside = eyeAt(7, 5, 9);

const glass = (color: number): THREE.Material =>
  new THREE.MeshLambertMaterial({ color, transparent: true, opacity: 0.4 });
const smoke = (): THREE.Material => new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3 });
const twoSided = (color: number): THREE.Material => Object.assign(glass(color), { side: THREE.DoubleSide });

/** Panes one behind the other as the camera sees them, of these materials in turn, and an opaque floor. */
function panesOf(materials: (THREE.Material | THREE.Material[])[], count = 40): World {
  const next = random(5);
  const [pane, ball] = [new THREE.BoxGeometry(1.5, 1.5, 0.1), new THREE.SphereGeometry(0.8, 12, 8)];
  const made = world(materials, [ball, pane, pane], count);
  for (const [i, { position }] of made.meshes.entries()) position.set(next() * 6 - 3, next() * 4 - 2, i * 0.2 - 4);
  const floor = new THREE.Mesh(new THREE.BoxGeometry(20, 0.1, 20), new THREE.MeshLambertMaterial({ color: 0x557733 }));
  floor.position.y = -2;
  floor.receiveShadow = true;
  // In another order than that of their depths.
  made.scene.add(floor, ...[...made.meshes].sort((a, b) => a.position.x - b.position.x));
  return made;
}

/** An edit of each pane, or of those from one on to another. */
const each =
  (change: (pane: THREE.Mesh, i: number) => unknown, ...some: [first?: number, end?: number]): Edit =>
  ({ meshes }) => {
    for (const [i, mesh] of meshes.slice(...some).entries()) change(mesh, i);
  };

const oneColour = (): World => panesOf([glass(0x88ccff)]);
const twoColours = (): World => panesOf([glass(0x88ccff), glass(0x883311)]);

/** Labels with two sides. */
function labels(...colors: number[]): World {
  const made = panesOf(colors.map(twoSided));
  const geometry = new THREE.PlaneGeometry(1.5, 1, 2, 2);
  // Shadows of a surface on itself are a matter of rounding.
  each((pane) => Object.assign(pane, { geometry, castShadow: false }))(made);
  return made;
}

/** A world in plain three, and its twin in batches. */
async function twinOf(make: () => World, most = 0): Promise<BatchTwin> {
  const twin = new BatchTwin(studio, make, { most, levels: 1 });
  await loadTransparent(() => studio.draw(twin.batched.scene, ahead));
  return twin;
}

/** Fails unless twins are the same picture, frame after frame; tells their draw calls. */
function compare(twin: BatchTwin, cameras: THREE.Camera[] = [ahead], frames = 3): typeof twin.calls {
  for (let frame = 0; frame < frames; frame++) {
    for (const [i, camera] of cameras.entries()) twin.frame(`frame ${frame}, camera ${i}`, camera);
  }
  return twin.calls;
}

/** Has the material of a pane changed. */
const repaint =
  (i: number, values: Partial<THREE.Material>): Edit =>
  ({ meshes }) =>
    Object.assign(meshes[i].material, { needsUpdate: true, ...values });
/** Moves a vertex of all labels. */
const bend =
  (z: number): Edit =>
  ({ meshes }) =>
    Object.assign(meshes[0].geometry.attributes.position.setZ(4, z), { needsUpdate: true });

/** A world, changes after each of which it is the same picture as its twin, and draws of what is transparent at the end. */
const CASES: Readonly<Record<string, [make: () => World, calls: number, ...changes: Edit[]]>> = {
  'two kinds of glass in turns': [() => panesOf([glass(0x88ccff), smoke()]), 40],
  'two kinds of glass, five of one and five of the other': [
    () => {
      const kinds = [glass(0x88ccff), smoke()];
      return panesOf(Array.from({ length: 10 }, (_, i) => kinds[i < 5 ? 0 : 1]));
    },
    8,
  ],
  'sprites and lines between panes': [
    () => {
      const it = oneColour();
      const black = new THREE.LineBasicMaterial({ color: 0, transparent: true, opacity: 0.8 });
      for (let i = 0; i < 4; i++) {
        const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ color: 0xff0000, opacity: 0.6 }));
        sprite.position.set(i - 2, 0, i * 2 - 3.95);
        sprite.scale.setScalar(2);
        const ends = [-1, 1].map((side) => new THREE.Vector3(3 * side, -i * side, i - 2.05));
        it.scene.add(sprite, new THREE.Line(new THREE.BufferGeometry().setFromPoints(ends), black));
      }
      return it;
    },
    17,
  ],
  'panes at one depth, in one place': [
    () => panesOf([glass(0x88ccff), glass(0x203040)]),
    1,
    each((pane, i) => pane.position.set((i % 5) * 0.3, 0, 0)),
  ],
  'orders of draws and of groups': [
    () => {
      const it = panesOf([glass(0x88ccff), glass(0xcc2222)]);
      const late = new THREE.Group();
      late.renderOrder = 2;
      late.add(...it.meshes.slice(0, 10));
      it.scene.add(late);
      for (const pane of it.meshes.slice(10, 20)) pane.renderOrder = -1;
      return it;
    },
    4,
    each((pane) => Object.assign(pane, { renderOrder: 1 }), 14, 20),
  ],
  'light that is added, and glass that hides what is behind it': [
    () => {
      const light = { color: 0x333311, transparent: true, blending: THREE.AdditiveBlending, depthWrite: false };
      const glass = new THREE.MeshStandardMaterial({ color: 0x44aa88, transparent: true, opacity: 0.7 });
      return panesOf([new THREE.MeshBasicMaterial(light), glass]);
    },
    40,
  ],
  'lists of materials, some of them transparent': [
    // Two of three boxes have six groups, half of them opaque; spheres have none.
    () => panesOf([[glass(0x88ccff), glass(0xff88cc), new THREE.MeshLambertMaterial({ color: 0x222266 })]]),
    0,
  ],
  'panes that become opaque, and transparent again': [
    () => panesOf([glass(0x88ccff), glass(0xffcc88)]),
    1,
    repaint(0, { transparent: false }),
    repaint(1, { transparent: false }),
    repaint(0, { transparent: true, opacity: 0.8 }),
    repaint(1, { transparent: true, opacity: 0.8 }),
  ],
  'panes that move, hide, leave and come': [
    oneColour,
    1,
    each((pane, i) => pane.position.setZ(Math.sin(i * 37) * 4)),
    each((pane, i) => Object.assign(pane, { visible: i % 3 > 0 })),
    each((pane) => pane.removeFromParent(), 0, 9),
    ({ meshes, scene }) => scene.add(...meshes.slice(0, 9)),
    each((pane) => Object.assign(pane, { material: glass(0x118811) }), 0, 30),
    each((pane) => Object.assign(pane, { visible: true })),
  ],
  'labels with two sides': [
    () => {
      const it = labels(0x88ccff, 0xee8833);
      each((pane, i) => pane.rotation.set(i, 2 * i, 0))(it);
      return it;
    },
    1,
    each((pane) => pane.rotateY(2)),
  ],
  'a pane with two sides that is bent, and flat again': [
    () => labels(0x88ccff),
    1,
    bend(0.5),
    bend(0),
    ({ materials: [material] }) => Object.assign(material, { forceSinglePass: true }),
  ],
  'glass that transmits light beside glass that does not': [
    () => panesOf([glass(0x88ccff), new THREE.MeshPhysicalMaterial({ transmission: 0.8, roughness: 0.2 })], 12),
    0,
  ],
};

describe('transparent meshes in batches are the same picture, with', () => {
  test.each(Object.entries(CASES))('%s', async (_label, [make, calls, ...changes]) => {
    const { renderer } = studio;
    for (const sortObjects of [true, false]) {
      renderer.sortObjects = sortObjects;
      renderer.shadowMap.enabled = true;
      const twin = await twinOf(make, 2);
      for (const change of [() => {}, ...changes]) {
        for (const it of [twin.plain, twin.batched]) change(it);
        compare(twin, [aside, ahead], 2);
      }
      renderer.shadowMap.enabled = false;
      const opaque = 1;
      // Those that follow each other in the scene need not follow each other in depth.
      if (sortObjects && calls > 0) expect(studio.draw(twin.batched.scene, ahead).calls - opaque).toBe(calls);
      twin.index.dispose();
    }
  });

  test('sort functions of the user', async () => {
    const twin = await twinOf(twoColours);
    studio.renderer.setTransparentSort((a, b) => a.z - b.z);
    expect(compare(twin).batched).toBe(2);
  });

  test('no draw call for several draws, as in Firefox', async () => {
    const context = WebGL2RenderingContext.prototype as { getExtension(name: string): unknown };
    const { getExtension } = context;
    context.getExtension = function (name) {
      return name === 'WEBGL_multi_draw' ? null : getExtension.call(this, name);
    };
    try {
      studio.start();
      const { plain, batched } = compare(await twinOf(() => panesOf([glass(0x88ccff), smoke(), glass(0x883311)])));
      expect(batched).toBe(plain);
    } finally {
      context.getExtension = getExtension;
    }
  });

  test.each([{ reversedDepthBuffer: true }, { logarithmicDepthBuffer: true }, { antialias: true }])(
    'a renderer with %o',
    async (options) => {
      studio.start(options);
      expect(compare(await twinOf(twoColours, 2), [aside, ahead]).batched).toBe(2);
    },
  );

  test('several views in one picture', async () => {
    const twin = await twinOf(twoColours);
    const eyes = [0, 1].map((i) => {
      const eye = Object.assign(eyeAt(i * 4 - 2, 1, 12), { aspect: 0.5 });
      eye.updateProjectionMatrix();
      eye.updateMatrixWorld();
      return Object.assign(eye, { viewport: new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE) });
    });
    const camera = new THREE.ArrayCamera(eyes);
    camera.position.set(0, 1, 12);
    expect(compare(twin, [camera]).batched).toBe(4);
  });

  test('a mirror, which renders the scene while it is drawn', async () => {
    const twin = await twinOf(() => {
      const it = twoColours();
      const mirror = new THREE.Mesh(new THREE.BoxGeometry(), Object.assign(smoke(), { opacity: 0.5 }));
      mirror.position.set(0, 0, 1);
      it.scene.add(mirror);
      let isInside = false;
      mirror.onBeforeRender = (renderer, scene) => {
        if (isInside) return;
        isInside = true;
        renderer.setViewport(0, 0, 40, 40);
        renderer.render(scene as THREE.Scene, aside);
        renderer.setViewport(0, 0, SIZE, SIZE);
        isInside = false;
      };
      return it;
    });
    compare(twin);
  });
});
