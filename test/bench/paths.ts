/**
 * Which files run from `scene.add` to the picture that draws the mesh in a batch, and for one `cull`, on a warm scene: by V8's
 * coverage of modules that were built each for itself. Prints them by path, as JSON.
 */
import { Session } from 'node:inspector/promises';
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { accelerate } from '../../src/index.js';

const MESHES = 400;
/** Pictures in which all chunks arrive and the batch is made, and those in which the new mesh has to join it. */
const WARM_UP = 100;
const MOST = 20;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const renderer = new WebGLRenderer({ canvas: stubCanvas() as never });
const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
camera.position.z = 60;
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const scene = new Scene();

/** A canvas whose WebGL 2 context draws nothing: constants are numbers, `create…` makes objects, all else answers the least. */
function stubCanvas() {
  const answers: { [name: string]: unknown } = {
    getContextAttributes: () => ({}),
    getExtension: (name: string) => (name === 'WEBGL_multi_draw' ? context : null),
    getSupportedExtensions: () => [],
    getParameter: (constant: string) =>
      /BOX|VIEWPORT/.test(constant) ? new Int32Array(4) : /VERSION/.test(constant) ? '2.0' : 16,
    getShaderPrecisionFormat: () => ({ rangeMin: 127, rangeMax: 127, precision: 23 }),
    getProgramParameter: (_program: unknown, what: string) => !what.startsWith('ACTIVE'),
    getShaderParameter: () => true,
  };
  const answer = (name: string) => (): unknown =>
    name.startsWith('create') ? {} : name.endsWith('InfoLog') ? '' : null;
  const context: object = new Proxy(answers, {
    get: (_, name: string) => answers[name] ?? (/^[A-Z]/.test(name) ? name : answer(name)),
  });
  return { width: 4, height: 3, style: {}, addEventListener() {}, removeEventListener() {}, getContext: () => context };
}

function add(place: number): void {
  const mesh = new Mesh(geometry, material);
  mesh.position.set((place % 20) - 10, Math.floor(place / 20) - 10, 0);
  scene.add(mesh);
}

/** Makes a picture, lets what it has asked for arrive, and returns the number of draw calls. */
async function draw(): Promise<number> {
  renderer.render(scene, camera);
  await new Promise((resolve) => setImmediate(resolve));
  return renderer.info.render.calls;
}

/** The files of src in which a function is called meanwhile. */
async function filesOf(work: () => unknown): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0));
  return ran.flatMap(({ url }) => /\/paths\/src\/(.*)\.js$/.exec(url)?.[1] ?? []).sort();
}

for (let i = 0; i < MESHES; i++) add(i);
const index = accelerate(scene, { batch: true });
let calls = 0;
for (let i = 0; i < WARM_UP; i++) calls = await draw();
if (calls >= MESHES) throw new Error(`${calls} draw calls: nothing is drawn in batches`);

const adding = await filesOf(async () => {
  add(MESHES);
  let pictures = 1;
  while ((await draw()) > calls) if (++pictures > MOST) throw new Error('the mesh does not join the batch');
});
for (let i = 0; i < WARM_UP; i++) index.cull(camera);
const culling = await filesOf(() => index.cull(camera));
process.stdout.write(JSON.stringify({ 'from scene.add to the draw in a batch': adding, 'one cull': culling }));
