/** What is measured, in the order of the tables: what happens in a frame of each scene. */
export const SCENES = {
  rest: 'all meshes in view, none moving',
  moving: 'all in view, all moving',
  few: 'a tenth in view of a camera that turns, none moving',
  'few-tenth': 'the same, a tenth moving',
  'few-moving': 'the same, all moving',
  passes:
    'all in view, all moving, drawn three times as for post-processing: as they are, then with two `overrideMaterial`s',
  anaglyph: "all in view, all moving, drawn for two eyes by three's `AnaglyphEffect`",
  ray: 'all in view, none moving, and a ray of length 10 cast at all meshes, as for a walker',
  materials: 'all in view, none moving, a material for each mesh',
  kinds: 'all in view, none moving, no two alike: each material differs in more than its colour',
  'cold-rest': '`rest`, the first 120 frames of a new process or page, with the call of `accelerate`',
  'cold-moving': '`moving`, the same',
  fiber:
    'React Three Fiber, all in view, none moving, nothing declared: `<Accelerated>` and `<Accelerated batch>`; only in a page',
};

const COUNTS = [10, 100, 300, 1000, 10_000];
/** The number of meshes of scenes that are measured with one alone. */
const ONLY = { fiber: 3000, kinds: 2000 };
/** Scenes of which 300 meshes are measured as well. */
const OF_300 = ['rest', 'moving', 'passes'];

/**
 * @param {string} place Either `node` or `page`.
 * @param {string[]} names Beginnings of the names of the scenes that are wanted; of all if there are none.
 * @param {number[]} counts In place of the usual numbers of meshes; of all if there are none.
 */
export function rowsOf(place, names, counts) {
  const isWanted = (scene) => names.length === 0 || names.some((name) => scene.startsWith(name));
  return Object.keys(SCENES)
    .filter((scene) => isWanted(scene) && (scene !== 'fiber' || place === 'page'))
    .flatMap((scene) => {
      const usual = scene in ONLY ? [ONLY[scene]] : COUNTS.filter((n) => n !== 300 || OF_300.includes(scene));
      return (counts.length > 0 ? counts : usual).map((count) => ({ scene, count }));
    });
}
