/** An example on offer. What is listed here appears in the gallery; it lies in the folder of its name. */
export interface Example {
  name: string;
  title: string;
  /** One sentence: what is to be seen. */
  text: string;
  /** Why it cannot be opened in StackBlitz, where it needs more than its code. */
  needs?: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'accelerate',
    title: 'Accelerate a scene',
    text: 'With one line, renderer.render visits only what the camera sees instead of all 20,000 meshes.',
  },
  {
    name: 'batch',
    title: 'Draw in batches',
    text: '2,000 ordinary meshes are drawn in one call.',
  },
  {
    name: 'cull',
    title: 'Cull by hand',
    text: 'A list of what a camera sees, for any purpose.',
  },
  {
    name: 'instances',
    title: 'Instances',
    text: '30,000 blades of grass in one mesh. Only those in view are drawn, and the pointer finds single blades.',
  },
  {
    name: 'pick',
    title: 'Pick and hover',
    text: 'Finds the mesh under the pointer, exact to the triangle, while the scene turns.',
  },
  {
    name: 'triangles',
    title: 'Triangles too',
    text: 'Works together with three-mesh-bvh: the index finds the meshes, a tree per mesh finds the triangles.',
  },
  {
    name: 'select',
    title: 'Select by a box',
    text: 'Drag a rectangle to select the objects behind it.',
  },
  {
    name: 'nearest',
    title: 'Nearest and in range',
    text: 'Finds the objects within a radius of a point, and the five nearest to it.',
  },
  {
    name: 'collide',
    title: 'Collide',
    text: 'Get events when objects begin to touch and when they part.',
  },
  {
    name: 'lazy',
    title: 'Load what is in view',
    text: 'Textures are created when an object enters the view and disposed when it leaves.',
  },
  {
    name: 'quadtree',
    title: 'A quadtree map',
    text: 'Build houses and watch the cells divide.',
  },
  {
    name: 'worker',
    title: 'Boxes from a worker',
    text: 'A worker makes 200,000 boxes and transfers them to the page, which indexes them.',
  },
  {
    name: 'react',
    title: 'React Three Fiber',
    text: 'A component accelerates the scene, and a hook tells what is visible.',
  },
  {
    name: 'tiles',
    title: '3D Tiles',
    text: '3d-tiles-renderer streams tiles in and out. The index follows, and draws their meshes in batches.',
    needs: 'It loads tiles from files beside the page, which StackBlitz cannot host.',
  },
  {
    name: 'inspector',
    title: 'Look inside with the Inspector',
    text: 'A tab for three’s Inspector: what is in view, what is not in batches and why, and the object that you click.',
  },
];

/** The example whose page this is, by the folder in its address. */
export function exampleAt(path: string): Example {
  const name = path.split('/').at(-2);
  const example = EXAMPLES.find((one) => one.name === name);
  if (!example) throw new Error(`No example at ${path}: is it in the catalogue?`);
  return example;
}
