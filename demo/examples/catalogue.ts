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
    name: 'cull',
    title: 'Cull by hand',
    text: 'What a camera of your own choice sees, as a list, for whatever you do with it.',
  },
  {
    name: 'pick',
    title: 'Pick and hover',
    text: 'The mesh under the pointer, exact to the triangle, in a scene that turns.',
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
