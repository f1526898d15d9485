// A scene whose meshes have the boxes of a world as their bounds, in the order of ids: children of the root, or of groups of 50.
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Scene } from 'three';

/** The id of a mesh is its `number`. */
export function buildScene(boxes, inGroups = false) {
  const scene = new Scene();
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  const meshes = Array.from({ length: boxes.length / 6 }, (_, id) => {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(6 * id);
    const mesh = new Mesh(geometry, material);
    mesh.position.set((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    mesh.scale.set(x1 - x0, y1 - y0, z1 - z0);
    mesh.number = id;
    if (inGroups && id % 50 === 0) scene.add(new Group());
    (inGroups ? scene.children.at(-1) : scene).add(mesh);
    return mesh;
  });
  scene.updateMatrixWorld();
  return { scene, meshes };
}
