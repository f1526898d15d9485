import * as THREE from 'three';
import { ShadowMesh } from 'three/addons/objects/ShadowMesh.js';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, indexed } from '../../helpers/indexed.js';
import { boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** What is done to a scene before the first frame, and the step of each frame. */
type Play = (scene: THREE.Scene) => (frame: number) => void;

/** The world matrices of all objects of a played scene, after each update by `start`'s way. */
function matricesOf(play: Play, start: (scene: THREE.Scene) => () => void): number[][][] {
  const scene = new THREE.Scene();
  const step = play(scene);
  scene.updateMatrixWorld();
  const update = start(scene);
  const frames: number[][][] = [];
  for (let frame = 1; frame <= 6; frame++) {
    step(frame);
    update();
    const matrices: number[][] = [];
    scene.traverse(({ matrixWorld }) => matrices.push([...matrixWorld.elements]));
    frames.push(matrices);
  }
  return frames;
}

const plain = (scene: THREE.Scene) => () => scene.updateMatrixWorld();
const byScene = (scene: THREE.Scene) => {
  accelerated(scene);
  return () => scene.updateMatrixWorld();
};
const byIndex = (scene: THREE.Scene) => {
  const index = indexed(scene);
  return () => index.update();
};

/** A mesh whose matrix is written by hand. */
function byHand(): THREE.Mesh {
  const mesh = boxMesh();
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** Objects moved after a frame so that they lie before, or behind, what they depend on. */
const reparented = (scene: THREE.Scene, late: THREE.Object3D, frame: number): void => {
  if (frame === 3) (scene.children[0] as THREE.Group).add(late);
};

const PLAYS = Object.entries<Play>({
  'a matrix written by hand, of a child of the scene': (scene) => {
    const mesh = byHand();
    scene.add(mesh);
    return (frame) => mesh.matrix.setPosition(frame, 0, 0);
  },
  'one of a child of an object at rest, and of a child of that': (scene) => {
    const [group, mesh, child] = [new THREE.Group(), byHand(), byHand()];
    scene.add(group.add(mesh.add(child)));
    return (frame) => {
      if (frame % 2 === 0) mesh.matrix.setPosition(frame, 0, 0);
      else child.matrix.setPosition(0, frame, 0);
    };
  },
  'one that is below another': (scene) => {
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    scene.add(group.add(byHand(), boxMesh()));
    return (frame) => group.matrix.setPosition(frame, 0, 0);
  },
  'one of instances': (scene) => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 1);
    mesh.setMatrixAt(0, new THREE.Matrix4());
    mesh.matrixAutoUpdate = false;
    scene.add(mesh);
    return (frame) => mesh.matrix.setPosition(frame, 0, 0);
  },
  'one where the scene does not update itself, with and without the flag': (scene) => {
    scene.matrixAutoUpdate = false;
    const [mesh, group, below] = [byHand(), new THREE.Group(), byHand()];
    scene.add(mesh, group.add(below));
    return (frame) => {
      mesh.matrix.setPosition(frame, 0, 0);
      below.matrix.setPosition(frame, 0, 0);
      mesh.matrixWorldNeedsUpdate = frame === 4;
      if (frame === 5) scene.matrixWorldNeedsUpdate = true;
    };
  },
  'one that came where nothing forces it': (scene) => {
    scene.matrixAutoUpdate = false;
    return (frame) => {
      const mesh = frame % 2 ? byHand() : boxMesh(frame);
      mesh.matrix.setPosition(frame, 0, 0);
      scene.add(mesh);
    };
  },
  'matrixAutoUpdate switched off and on': (scene) => {
    const mesh = boxMesh();
    scene.add(mesh);
    return (frame) => {
      mesh.matrixAutoUpdate = frame > 4;
      mesh.matrix.setPosition(frame, 0, 0);
    };
  },
  'a matrix written although the object updates itself, while its parent moves': (scene) => {
    const [group, mesh] = [new THREE.Group(), boxMesh(2)];
    scene.add(group.add(mesh));
    return (frame) => {
      mesh.matrix.setPosition(9, 9, 9);
      group.position.x = frame;
    };
  },
  'a world matrix written by hand, where three makes it and where it does not': (scene) => {
    const [group, mesh, free] = [new THREE.Group(), boxMesh(2), boxMesh(3)];
    free.matrixWorldAutoUpdate = false;
    free.add(boxMesh(1));
    scene.add(group.add(mesh), free);
    return (frame) => {
      for (const object of [group, mesh, free]) object.matrixWorld.setPosition(frame, 7, 7);
    };
  },
  'a world matrix that is another object': (scene) => {
    const [group, mesh] = [new THREE.Group(), boxMesh(2)];
    scene.add(group.add(mesh));
    return (frame) => {
      if (frame === 3) mesh.matrixWorld = new THREE.Matrix4();
      if (frame === 4) group.matrixWorld = new THREE.Matrix4();
    };
  },
  'a pivot': (scene) => {
    const mesh = boxMesh();
    mesh.pivot = new THREE.Vector3(1, 0, 0);
    scene.add(mesh);
    return (frame) => {
      mesh.rotation.z = frame;
      if (frame === 4) mesh.pivot = null;
      if (frame === 5) mesh.pivot = new THREE.Vector3(0, 2, 0);
    };
  },
  'a helper behind its camera in a rig': (scene) => {
    const [rig, camera] = [new THREE.Group(), new THREE.PerspectiveCamera(50, 1, 1, 100)];
    scene.add(rig.add(camera), new THREE.CameraHelper(camera));
    return (frame) => {
      rig.position.x = frame;
      camera.lookAt(0, frame, 5);
    };
  },
  'a helper before its camera in a rig': (scene) => {
    const [rig, camera] = [new THREE.Group(), new THREE.PerspectiveCamera(50, 1, 1, 100)];
    scene.add(new THREE.CameraHelper(camera), rig.add(camera));
    return (frame) => {
      rig.position.x = frame;
    };
  },
  'a helper that comes to lie before its light': (scene) => {
    const [first, light] = [new THREE.Group(), new THREE.PointLight()];
    const helper = new THREE.PointLightHelper(light);
    scene.add(first, light, helper);
    return (frame) => {
      light.position.x = frame;
      reparented(scene, helper, frame);
    };
  },
  'a light that comes to lie before its helper': (scene) => {
    const [first, light] = [new THREE.Group(), new THREE.PointLight()];
    const helper = new THREE.PointLightHelper(light);
    scene.add(first, helper, light);
    return (frame) => {
      light.position.x = frame;
      reparented(scene, light, frame);
    };
  },
  'helpers of helpers, in both orders': (scene) => {
    const [source, a, b, c] = [boxMesh(), byHand(), byHand(), byHand()];
    a.matrix = b.matrixWorld;
    b.matrix = source.matrixWorld;
    c.matrix = b.matrixWorld;
    scene.add(new THREE.Group(), a, source, b, c);
    return (frame) => {
      source.position.set(frame, 1, 2);
      if (frame === 4) (scene.children[0] as THREE.Group).add(b);
    };
  },
  'a skeleton helper, and a bone that moves': (scene) => {
    const bone = new THREE.Bone();
    scene.add(bone, new THREE.SkeletonHelper(bone));
    return (frame) => {
      bone.position.x = frame;
    };
  },
  'a shadow mesh': (scene) => {
    const mesh = boxMesh(-1, 1);
    const shadow = new ShadowMesh(mesh);
    scene.add(mesh, shadow);
    return (frame) => {
      mesh.position.x = frame;
      shadow.update(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0.01), new THREE.Vector4(5, 7, -1, 0.001));
    };
  },
  'an updateMatrixWorld of an object’s own, which is told whether it is forced': (scene) => {
    let now = 0;
    const [free, below] = [new THREE.Group(), boxMesh()];
    for (const object of [free, below]) {
      object.matrixAutoUpdate = false;
      object.updateMatrixWorld = (force) => {
        object.matrixWorld.elements[15] = now + (force === true ? 100 : 0);
      };
    }
    scene.add(free, new THREE.Group().add(below));
    return (frame) => {
      now = frame;
      scene.matrixAutoUpdate = frame < 4;
    };
  },
});

describe.each(PLAYS)('%s', (_label, play) => {
  it('is followed as three follows it, accelerated', () => {
    expect(matricesOf(play, byScene)).toEqual(matricesOf(play, plain));
  });

  it('is followed as three follows it, by an index', () => {
    expect(matricesOf(play, byIndex)).toEqual(matricesOf(play, plain));
  });
});

describe('the matrix pass of an accelerated scene', () => {
  it('forces what three forces when it is told to', () => {
    const play: Play = (scene) => {
      scene.matrixAutoUpdate = false;
      const mesh = byHand();
      scene.add(mesh);
      return (frame) => mesh.matrix.setPosition(frame, 0, 0);
    };
    const forced = (start: (scene: THREE.Scene) => () => void) => (scene: THREE.Scene) => {
      start(scene);
      return () => scene.updateMatrixWorld(true);
    };
    expect(matricesOf(play, forced(byScene))).toEqual(matricesOf(play, forced(plain)));
  });

  it('finds objects where matrices written by hand put them', () => {
    const mesh = byHand();
    const scene = new THREE.Scene().add(mesh);
    const index = accelerated(scene);
    for (let frame = 1; frame < 5; frame++) {
      mesh.matrix.setPosition(10 * frame, 0, 0);
      scene.updateMatrixWorld();
      expect(index.queryPoint(new THREE.Vector3(10 * frame, 0, 0))).toEqual([mesh]);
      expect(validateScene(index)).toEqual([]);
    }
  });
});

/** Hands over a child without a word to anybody. */
function moveByHand(child: THREE.Object3D, to: THREE.Object3D | null): void {
  const from = child.parent as THREE.Object3D;
  from.children.splice(from.children.indexOf(child), 1);
  child.parent = to;
  to?.children.push(child);
}

describe.each(['accelerate', 'SceneIndex'])('of %s: what is moved from parent to parent by hand', (kind) => {
  const start = (scene: THREE.Scene): { index: SceneIndex; update: () => void } => {
    const index = kind === 'accelerate' ? accelerated(scene) : indexed(scene);
    return { index, update: () => (kind === 'accelerate' ? scene.updateMatrixWorld() : index.update()) };
  };

  it('is found below its new parent, drawn and hidden with it', () => {
    const [left, right] = [new THREE.Group(), new THREE.Group()];
    left.position.x = -10;
    right.position.x = 10;
    const [mesh, child] = [boxMesh(), boxMesh(0, 3)];
    const scene = new THREE.Scene().add(left.add(mesh.add(child)), right);
    const { index, update } = start(scene);
    update();
    moveByHand(mesh, right);
    update();
    expect(index.queryPoint(new THREE.Vector3(10, 0, 0))).toEqual([mesh]);
    expect(index.queryPoint(new THREE.Vector3(10, 3, 0))).toEqual([child]);
    right.visible = false;
    const camera = new THREE.PerspectiveCamera();
    camera.position.z = 50;
    expect(index.cull(camera)).toEqual([]);
    expect(validateScene(index)).toEqual([]);
  });

  it('comes and goes with it', () => {
    const scene = new THREE.Scene().add(new THREE.Group());
    const { index, update } = start(scene);
    const mesh = boxMesh(5);
    mesh.parent = scene;
    scene.children.push(mesh);
    update();
    expect(index.queryPoint(new THREE.Vector3(5, 0, 0))).toEqual([mesh]);
    moveByHand(mesh, null);
    update();
    expect(index.has(mesh)).toBe(false);
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it('is forgotten where it is out of the list of children alone', () => {
    const mesh = boxMesh(5);
    const scene = new THREE.Scene().add(mesh, boxMesh(7));
    const { index, update } = start(scene);
    scene.children.shift();
    update();
    expect(index.has(mesh)).toBe(false);
    expect(index.size).toBe(1);
    expect(validateScene(index)).toEqual([]);
  });
});
