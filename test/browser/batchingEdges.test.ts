import * as THREE from 'three';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { eyeAt, loadBatching } from './batching.js';

const SIZE = 128;
const FEW = 4;
let renderer: THREE.WebGLRenderer;
beforeEach(() => {
  renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.setSize(SIZE, SIZE);
  renderer.localClippingEnabled = true;
});
afterEach(() => renderer.dispose());

const camera = eyeAt(10, 8, 14);

interface World {
  readonly scene: THREE.Scene;
  readonly meshes: THREE.Mesh[];
  readonly materials: THREE.Material[];
  readonly geometry: THREE.BufferGeometry;
}

/** Twelve meshes of one geometry, with these materials or lists in turn. */
function world(
  make: () => (THREE.Material | THREE.Material[])[],
  geometry: THREE.BufferGeometry = new THREE.BoxGeometry(),
): World {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x223344);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(3, 8, 5);
  sun.castShadow = true;
  scene.add(sun);
  const given = make();
  const meshes = Array.from({ length: 12 }, (_, i) => {
    const mesh = new THREE.Mesh(geometry, given[i % given.length] as THREE.Material);
    mesh.position.set((i % 4) * 2.2 - 3, 0, Math.floor(i / 4) * 2.2 - 2);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
  scene.add(...meshes);
  return { scene, meshes, materials: given.flat(), geometry };
}

function draw({ scene }: World): Uint8Array {
  renderer.render(scene, camera);
  return readPicture(renderer);
}

const two = (): THREE.MeshLambertMaterial[] =>
  [0xcc8844, 0x4488cc].map((color) => new THREE.MeshLambertMaterial({ color }));
const listOf = (material: THREE.Material): THREE.Material[][] => [[material]];
const planes = (): THREE.Plane[] => [new THREE.Plane(new THREE.Vector3(0, -1, 0), 0.3)];

const texel = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
texel.needsUpdate = true;

function withObjectNormals<T extends THREE.Material>(material: T): T {
  return Object.assign(material, { normalMap: texel, normalMapType: THREE.ObjectSpaceNormalMap });
}

function turned(made: World): World {
  made.meshes.forEach((mesh, i) => {
    mesh.rotation.set(i, 0.7 * i, 0);
  });
  return made;
}

function withoutGroups(): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry();
  geometry.clearGroups();
  return geometry;
}

/** Makes a world, twice, and changes both from frame to frame; it is to look the same in batches as without. */
const CASES: Readonly<Record<string, [make: () => World, ...edits: ((world: World) => void)[]]>> = {
  'a list of one material gets another': [
    () => world(() => listOf(two()[0])),
    ({ meshes }) => {
      for (const mesh of meshes) (mesh.material as THREE.Material[])[0] = two()[1];
    },
    ({ geometry }) => {
      geometry.attributes.position.setX(0, 2);
      geometry.attributes.position.needsUpdate = true;
    },
  ],
  'a list of materials without groups': [() => world(() => listOf(two()[0]), withoutGroups())],
  'clipping planes are moved, and others are added': [
    () => {
      const clippingPlanes = planes();
      return world(() => two().map((one) => Object.assign(one, { clippingPlanes })));
    },
    ({ materials }) => {
      (materials[0].clippingPlanes as THREE.Plane[])[0].constant = -0.2;
    },
    ({ materials }) => {
      materials[0].clippingPlanes?.push(new THREE.Plane(new THREE.Vector3(1, 0, 0), 1));
    },
  ],
  'defines, from the start and changed in place': [
    () =>
      world(() =>
        [0x886644, 0x446688].map((color) =>
          Object.assign(new THREE.MeshStandardMaterial({ color }), { defines: { STANDARD: '', FLAT_SHADED: '' } }),
        ),
      ),
    ({ materials }) => {
      for (const one of materials) {
        delete (one.defines as Record<string, string>).FLAT_SHADED;
        one.needsUpdate = true;
      }
    },
  ],
  'user data that holds itself': [
    () =>
      world(() =>
        two().map((one) => {
          one.userData.self = one.userData;
          return one;
        }),
      ),
  ],
  'a white material for all': [
    () => world(two),
    ({ scene }) => {
      scene.overrideMaterial = new THREE.MeshBasicMaterial();
    },
  ],
  'an attribute that is too long': [
    () => world(two, new THREE.BoxGeometry().setAttribute('uv', new THREE.BufferAttribute(new Float32Array(200), 2))),
  ],
  'morph targets that come later': [
    () => world(two),
    ({ geometry, meshes }) => {
      geometry.morphAttributes.position = [new THREE.BufferAttribute(new Float32Array(72).fill(1), 3)];
      for (const mesh of meshes) {
        mesh.updateMorphTargets();
        (mesh.morphTargetInfluences as number[])[0] = 1;
      }
    },
  ],
  'a decal in the plane of others': [
    () => {
      const made = world(two, new THREE.PlaneGeometry(2, 2));
      const decal = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ color: 0xffffff }));
      decal.position.copy(made.meshes[5].position);
      made.scene.add(decal);
      return made;
    },
  ],
  'normals in object space': [() => turned(world(() => two().map(withObjectNormals)))],
  'normals in object space, which come later': [
    () => turned(world(two)),
    ({ materials }) => {
      for (const one of materials) withObjectNormals(one).needsUpdate = true;
    },
  ],
  'an override material with normals in object space': [
    () => turned(world(two)),
    ({ scene }) => {
      scene.overrideMaterial = withObjectNormals(new THREE.MeshNormalMaterial());
    },
  ],
  wireframes: [() => turned(world(() => two().map((one) => Object.assign(one, { wireframe: true }))))],
  'an override material that draws wireframes': [
    () => turned(world(two)),
    ({ scene }) => {
      scene.overrideMaterial = new THREE.MeshNormalMaterial({ wireframe: true });
    },
  ],
  'what writes no colour': [
    () => {
      const made = world(two);
      made.scene.add(
        ...[0, 1, 2, 3].map((x) =>
          new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ colorWrite: false }))
            .translateX(x)
            .translateY(1),
        ),
      );
      return made;
    },
  ],
  'far away': [
    () => world(two),
    ({ scene, meshes }) => {
      const far = new THREE.Group();
      far.add(...meshes);
      scene.add(far);
      far.position.x = 1e6;
      camera.position.x += 1e6;
    },
    () => {
      camera.position.x -= 1e6;
    },
  ],
};

describe('the same picture in batches, with', () => {
  test.each(Object.entries(CASES))('%s', async (_label, [make, ...edits]) => {
    const [plain, batched] = [make(), make()];
    const index = accelerate(batched.scene, { batch: true });
    await loadBatching();
    for (let frame = 0; frame < 3; frame++) expect(otherPixels(draw(plain), draw(batched))).toBeLessThanOrEqual(FEW);
    for (const edit of [...edits, () => {}]) {
      const before = camera.position.clone();
      edit(plain);
      const expected = draw(plain);
      camera.position.copy(before);
      edit(batched);
      expect(otherPixels(draw(batched), expected), String(edit)).toBeLessThanOrEqual(FEW);
      expect(otherPixels(draw(batched), draw(plain))).toBeLessThanOrEqual(FEW);
    }
    index.dispose();
  });

  test('another kind of shadows', async () => {
    const [plain, batched] = [world(two), world(two)];
    renderer.shadowMap.enabled = true;
    const index = accelerate(batched.scene, { batch: true });
    await loadBatching();
    for (const type of [THREE.PCFShadowMap, THREE.VSMShadowMap, THREE.PCFShadowMap]) {
      renderer.shadowMap.type = type;
      for (let frame = 0; frame < 3; frame++) {
        const expected = draw(plain);
        expect(otherPixels(draw(batched), expected), `${type}`).toBeLessThanOrEqual(5 * FEW);
      }
    }
    index.dispose();
  });

  test('a second renderer, and geometries that are edited between them', async () => {
    const [plain, batched] = [world(two), world(two)];
    for (const mesh of [plain, batched].flatMap(({ meshes }) => meshes.slice(6))) mesh.geometry = mesh.geometry.clone();
    const other = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
    other.setSize(SIZE, SIZE);
    const index = accelerate(batched.scene, { batch: true });
    await loadBatching();
    for (let frame = 0; frame < 4; frame++) {
      for (const { meshes } of [plain, batched]) {
        const { position } = meshes[frame % 2 ? 7 : 1].geometry.attributes;
        position.setY(frame, 2);
        position.needsUpdate = true;
      }
      draw(batched);
      if (frame % 2 === 0) continue;
      other.render(batched.scene, camera);
      const seen = readPicture(other);
      expect(otherPixels(seen, draw(plain))).toBeLessThanOrEqual(FEW);
    }
    index.dispose();
    other.dispose();
  });

  test('a mirror that changes things for its own picture', async () => {
    const make = (): World => {
      const made = world(two);
      const target = new THREE.WebGLRenderTarget(32, 32);
      const mirror = new THREE.Mesh(
        new THREE.PlaneGeometry(5, 5),
        new THREE.MeshBasicMaterial({ map: target.texture }),
      );
      mirror.position.set(0, 4, 0);
      mirror.onBeforeRender = () => {
        const [mesh] = made.meshes;
        const material = made.materials[1] as THREE.MeshLambertMaterial;
        mirror.visible = false;
        mesh.position.y += 2;
        material.color.offsetHSL(0.3, 0, 0);
        renderer.setRenderTarget(target);
        renderer.render(made.scene, camera);
        renderer.setRenderTarget(null);
        material.color.offsetHSL(-0.3, 0, 0);
        mesh.position.y -= 2;
        mesh.updateMatrixWorld();
        mirror.visible = true;
      };
      made.scene.add(mirror);
      return made;
    };
    const [plain, batched] = [make(), make()];
    const index = accelerate(batched.scene, { batch: true });
    await loadBatching();
    for (let frame = 0; frame < 5; frame++) {
      const expected = draw(plain);
      expect(otherPixels(draw(batched), expected), `frame ${frame}`).toBeLessThanOrEqual(5 * FEW);
    }
    index.dispose();
  });
});

test('materials that are others for one picture of each frame leave meshes in their batches', async () => {
  const [plain, batched] = [world(two), world(two)];
  const ids = plain.meshes.map((_, i) => new THREE.MeshBasicMaterial({ color: 0x111111 * (i + 1) }));
  const drawAs = (made: World, give: (mesh: THREE.Mesh, i: number) => void): { pixels: Uint8Array; calls: number } => {
    const own = made.meshes.map(({ material }) => material);
    made.meshes.forEach(give);
    const pixels = draw(made);
    const { calls } = renderer.info.render;
    made.meshes.forEach((mesh, i) => {
      mesh.material = own[i];
    });
    return { pixels, calls };
  };
  const swap = (mesh: THREE.Mesh, i: number): void => {
    mesh.material = ids[i];
  };
  const keep = (): void => {};
  const index = accelerate(batched.scene, { batch: true });
  await loadBatching();
  for (let frame = 0; frame < 8; frame++) {
    for (const give of [swap, keep]) {
      const seen = drawAs(batched, give);
      expect(otherPixels(seen.pixels, drawAs(plain, give).pixels)).toBeLessThanOrEqual(FEW);
      if (frame > 2) expect(seen.calls).toBe(give === swap ? 12 : 1);
    }
  }
  // Another material for good.
  const other = new THREE.MeshBasicMaterial({ color: 0x228844 });
  for (const { meshes } of [plain, batched]) for (const mesh of meshes) mesh.material = other;
  for (let frame = 0; frame < 8; frame++) {
    const expected = draw(plain);
    expect(otherPixels(draw(batched), expected)).toBeLessThanOrEqual(FEW);
  }
  expect(renderer.info.render.calls).toBe(1);
  index.dispose();
});

test('meshes come together though each frame begins with a picture that batches cannot draw', async () => {
  const { scene } = world(() => [new THREE.MeshBasicMaterial()]);
  const index = accelerate(scene, { batch: true });
  await loadBatching();
  for (let frame = 0; frame < FEW; frame++) {
    for (const material of [new THREE.MeshBasicMaterial(), null]) {
      scene.overrideMaterial = material;
      renderer.render(scene, camera);
    }
  }
  expect(renderer.info.render.calls).toBe(1);
  index.dispose();
});
