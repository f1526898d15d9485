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
    text: 'One line, and renderer.render visits what the camera sees, in place of 20,000 meshes.',
  },
  {
    name: 'batch',
    title: 'Draw in batches',
    text: '2,000 meshes in one draw call, and the scene stays as it is.',
  },
  {
    name: 'cull',
    title: 'Cull by hand',
    text: 'What a camera of your own choice sees, as a list, for whatever you do with it.',
  },
  {
    name: 'instances',
    title: 'Instances',
    text: '30,000 blades of grass in one mesh: drawn where they are in view, found where the pointer is.',
  },
  {
    name: 'pick',
    title: 'Pick and hover',
    text: 'The mesh under the pointer, exact to the triangle, in a scene that turns.',
  },
  {
    name: 'triangles',
    title: 'Triangles too',
    text: 'Together with three-mesh-bvh: an index for the meshes, a tree for the triangles of each.',
  },
  {
    name: 'select',
    title: 'Select by a box',
    text: 'What lies behind a rectangle that is dragged over the screen.',
  },
  {
    name: 'nearest',
    title: 'Nearest and in range',
    text: 'Who is within reach of a point, and which five are nearest to it.',
  },
  {
    name: 'collide',
    title: 'Collide',
    text: 'Which objects touch, as events when they meet and when they part.',
  },
  {
    name: 'lazy',
    title: 'Load what is in view',
    text: 'Textures that are made when an object comes into view, and let go when it leaves.',
  },
  {
    name: 'quadtree',
    title: 'A quadtree map',
    text: 'Build houses, and see the cells divide.',
  },
  {
    name: 'worker',
    title: 'An index from a worker',
    text: '200,000 boxes, indexed in a worker and sent to the page as bytes.',
  },
  {
    name: 'react',
    title: 'React Three Fiber',
    text: 'A component around the scene, and a hook that tells who is seen.',
  },
  {
    name: 'tiles',
    title: '3D Tiles',
    text: 'Tiles of 3d-tiles-renderer come and go; the index follows, and their meshes are drawn at once.',
    needs: 'Its tiles are files beside the page, which StackBlitz has no place for.',
  },
  {
    name: 'inspector',
    title: 'Look inside with the Inspector',
    text: 'A tab of three’s own Inspector: what is seen, culled and batched, and why, for the object you click.',
  },
];

/** The example whose page this is, by the folder in its address. */
export function exampleAt(path: string): Example {
  const name = path.split('/').at(-2);
  const example = EXAMPLES.find((one) => one.name === name);
  if (!example) throw new Error(`No example at ${path}: is it in the catalogue?`);
  return example;
}
