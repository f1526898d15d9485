import * as THREE from 'three';
import { occlusionReports } from '../../../src/passes/occlusionReports.js';
import { type AcceleratedScene, type AccelerateOptions, accelerate } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { readPicture } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { pick } from '../pictures/chance.js';
import { comparePictures } from '../pictures/comparePictures.js';
import { makeScene, makeSupplies, type OcclusionScene, REACH, type Supplies } from './makeScene.js';

export const WIDTH = 256;
export const HEIGHT = 144;

type Next = () => number;

/** Renderers by the kind of depth they keep, made once: contexts are few. */
const DEPTHS = {
  plain: {},
  logarithmic: { logarithmicDepthBuffer: true },
  reversed: { reversedDepthBuffer: true },
} as const;
const made = new Map<string, THREE.WebGLRenderer>();

function rendererOf(depth: keyof typeof DEPTHS): THREE.WebGLRenderer {
  let renderer = made.get(depth);
  if (renderer === undefined) {
    renderer = new THREE.WebGLRenderer({
      antialias: false,
      stencil: true,
      preserveDrawingBuffer: true,
      ...DEPTHS[depth],
    });
    renderer.setSize(WIDTH, HEIGHT, false);
    renderer.localClippingEnabled = true;
    made.set(depth, renderer);
  }
  return renderer;
}

export interface OcclusionRun {
  pictures: number;
  /** What went wrong with the last picture, in words; null for nothing. */
  fault: string | null;
  /** Draw calls of all pictures, with everything in view and with what is not hidden. */
  readonly calls: [all: number, visible: number];
}

export interface OcclusionScript {
  readonly seed: number;
  readonly pictures: number;
  /** Draws both in plain three, or the second without occlusion: what differs then says nothing. */
  readonly isPlain?: boolean;
  readonly isAll?: boolean;
}

/** What may happen between two pictures, to both scenes alike. */
const ACTS: readonly ((given: OcclusionScene, supplies: Supplies, next: Next) => void)[] = [
  ({ walls }, _, next) => {
    const { position } = pick(next, walls);
    position.x += next() * 6 - 3;
    position.z += next() * 6 - 3;
  },
  ({ walls }, _, next) => {
    pick(next, walls).rotation.y = next() * 6;
  },
  ({ walls }, _, next) => {
    const wall = pick(next, walls);
    wall.visible = !wall.visible;
  },
  ({ walls }, { materials }, next) => {
    pick(next, walls).material = pick(next, materials);
  },
  ({ walls }, _, next) => {
    pick(next, walls).scale.x = next() * 18;
  },
  ({ things }, _, next) => {
    for (let i = 0; i < 10; i++) {
      pick(next, things).position.set((2 * next() - 1) * REACH, next() * 3, (2 * next() - 1) * REACH);
    }
  },
  ({ things }, { materials }, next) => {
    for (let i = 0; i < 5; i++) {
      const thing = pick(next, things) as THREE.Mesh;
      if (thing.isMesh && !Array.isArray(thing.material)) thing.material = pick(next, materials);
    }
  },
  ({ things, walls }, _, next) => {
    const thing = pick(next, things);
    if (!things.includes(thing.parent as THREE.Object3D)) pick(next, walls).add(thing);
  },
  ({ things }, _, next) => {
    pick(next, things).layers.toggle(1);
  },
];

/** What may happen to what both scenes share. */
const EDITS: readonly ((supplies: Supplies, next: Next) => void)[] = [
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.depthTest = !material.depthTest;
  },
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.depthWrite = !material.depthWrite;
  },
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.side = pick(next, [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]);
    material.needsUpdate = true;
  },
  ({ shapes }, next) => {
    const { position } = pick(next, shapes).attributes;
    for (let i = 0; i < position.count; i += 2) position.setY(i, position.getY(i) * 1.2);
    position.needsUpdate = true;
  },
];

const OPTIONS: readonly AccelerateOptions[] = [
  { occlusion: true },
  { occlusion: { width: 64 } },
  { occlusion: { width: 128, maxOccluders: 6, maxTriangles: 400 } },
  { occlusion: true, cullCasters: true },
];

/** Draws a random scene twice in each picture, in plain three and with occlusion, and compares all pixels. */
export async function runOcclusion(script: OcclusionScript): Promise<OcclusionRun> {
  const { seed, pictures } = script;
  await loadOcclusion();
  await loadBatching();
  const run: OcclusionRun = { pictures: 0, fault: null, calls: [0, 0] };
  const next = random(seed * 7919 + 3);
  readR = (sc: any, c: any) => { renderer.render(sc, c); return readPicture(renderer); };
  const depth = next() < 0.6 ? 'plain' : next() < 0.5 ? 'logarithmic' : 'reversed';
  const renderer = rendererOf(depth);
  const isBatched = next() < 0.25;
  const options = { ...pick(next, OPTIONS), ...(isBatched ? { batch: { atLeast: 2 } } : {}) };
  const planes =
    next() < 0.2
      ? [new THREE.Plane(new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).normalize(), next() * 6)]
      : [];
  const supplies = makeSupplies(seed);
  const sides = [0, 1].map(() => makeScene(seed, supplies));
  const index = script.isPlain ? null : accelerate(sides[1].scene, script.isAll ? { ...options, occlusion: false } : options);
  if (next() < 0.4) for (const wall of sides[1].walls.slice(0, 5)) index?.setStatic(wall);
  const moved = [0, 1].map(() => random(seed + 17));
  renderer.clippingPlanes = planes;
  renderer.sortObjects = next() < 0.8;
  try {
    for (; run.pictures < pictures && run.fault === null; run.pictures++) {
      const acts = run.pictures % 3 === 0 ? [] : [pick(next, ACTS), pick(next, ACTS)];
      const seeds = [Math.floor(next() * 2 ** 31), Math.floor(next() * 2 ** 31)];
      if (acts.length > 0 && next() < 0.4) pick(next, EDITS)(supplies, next);
      for (const side of sides) acts.forEach((act, i) => act(side, supplies, random(seeds[i])));
      const drawnBy = sides.map((side, s) => {
        if (s === 1 && acts.length > 0) index?.touch(side.scene);
        const camera = aim(side, moved[s], run.pictures);
        renderer.render(side.scene, camera);
        run.calls[s] += renderer.info.render.calls;
        return readPicture(renderer);
      });
      const cams = sides[1].cameras;
      const last = cams[Math.floor(run.pictures / 4) % cams.length];
      run.fault = faultOf(drawnBy[0], drawnBy[1], isBatched);
      if (run.fault !== null && index && !script.isAll) run.fault += culprits(index as never, sides[1].scene, last, () => { renderer.render(sides[1].scene, last); return readPicture(renderer); }, drawnBy[0]);
      if (run.fault !== null) run.fault = `picture ${run.pictures}, ${depth}, ${planes.length} planes, sorted ${renderer.sortObjects}, ${JSON.stringify(options)}: ${run.fault}`;
    }
  } finally {
    index?.dispose();
    renderer.clippingPlanes = [];
    renderer.sortObjects = true;
    for (const { scene } of sides) free(scene);
  }
  return run;
}

/** Meshes in batches are drawn by matrices that are multiplied in another order: there rounding shows at edges. */
function faultOf(plain: Uint8Array, fast: Uint8Array, isBatched: boolean): string | null {
  const { pixels, patches, mostLevels } = comparePictures(plain, fast, WIDTH);
  const most = isBatched ? 0.01 * WIDTH * HEIGHT : 0;
  return pixels > most || patches > 0
    ? `${pixels} pixels differ by up to ${mostLevels} levels, ${patches} within patches`
    : null;
}

/** Puts a camera somewhere new, or lets it rest, or takes it on a little. */
function aim({ cameras, walls }: OcclusionScene, next: Next, picture: number): THREE.Camera {
  const camera = cameras[Math.floor(picture / 4) % cameras.length];
  const what = next();
  if (picture % 4 === 0 || what < 0.4) {
    camera.position.set((2 * next() - 1) * REACH, 0.5 + next() * 4, (2 * next() - 1) * REACH);
    // Within a wall.
    if (next() < 0.15) camera.position.copy(walls[Math.floor(next() * walls.length)].position);
    camera.rotation.set(next() * 0.6 - 0.3, next() * 7, 0);
    if (next() < 0.05) camera.position.y = 25;
    if (next() < 0.1) camera.rotation.z = next() * 7;
  } else if (what < 0.8) camera.translateZ(-0.3 * next());
  return camera;
}

function free(scene: THREE.Scene): void {
  scene.traverse((object) => {
    const { material } = object as THREE.Mesh;
    for (const one of [material].flat()) one?.dispose();
    (object as THREE.InstancedMesh | THREE.BatchedMesh).dispose?.();
  });
}

let readR: any;
/** The hidden objects without which the fault is gone, in words. */
export function culprits(index: AcceleratedScene, scene: THREE.Scene, camera: THREE.Camera, draw: () => Uint8Array, plain: Uint8Array): string {
  const report = occlusionReports.get(scene) as any;
  const draw2 = (objects: THREE.Object3D[]) => { for (const o of objects) index.occlude(o, false); const p = draw(); for (const o of objects) index.occlude(o, true); return comparePictures(plain, p, WIDTH).pixels; };
  let hidden: THREE.Object3D[] = report.hiddenOf(camera);
  const out = [`${hidden.length} hidden, ${draw2([])} again, ${draw2(hidden)} with all`];
  while (hidden.length > 1) { const half = hidden.slice(0, hidden.length >> 1); hidden = draw2(half) < draw2(hidden.slice(half.length)) ? half : hidden.slice(half.length); }
  const o = hidden[0] as any;
  { const p = draw(); let x0=1e9,x1=-1,y0=1e9,y1=-1; for (let i=0;i<p.length;i+=4) if (p[i]!==plain[i]||p[i+1]!==plain[i+1]||p[i+2]!==plain[i+2]) { const x=(i/4)%WIDTH,y=Math.floor(i/4/WIDTH); x0=Math.min(x0,x);x1=Math.max(x1,x);y0=Math.min(y0,y);y1=Math.max(y1,y);} 
    out.push(`only it: ${o ? draw2([o]) : ''}; diffs in ${x0}-${x1} x ${y0}-${y1}`);
    if (o) { const b = new THREE.Box3().setFromObject(o, true); const r = new THREE.Box3(); for (let k=0;k<8;k++) r.expandByPoint(new THREE.Vector3(k&1?b.max.x:b.min.x,k&2?b.max.y:b.min.y,k&4?b.max.z:b.min.z).project(camera)); out.push(`it at ${[(r.min.x+1)*WIDTH/2,(r.max.x+1)*WIDTH/2,(r.min.y+1)*HEIGHT/2,(r.max.y+1)*HEIGHT/2, r.min.z, r.max.z]}`); } }
  if (o) { draw(); const hs = report.hidersOf(o, camera); const mine = new THREE.Scene(); mine.add(new THREE.AmbientLight(0xffffff,2)); const put = (m: any, c: number) => { const k = new THREE.Mesh(m.geometry, new THREE.MeshBasicMaterial({ color: c, side: m.material.side })); k.matrixAutoUpdate=false; k.matrix.copy(m.matrixWorld); mine.add(k); return k; };
    index.dispose(); for (const h of hs) put(h, 0xff0000); const w = readR(mine, camera); const t = put(o, 0x00ff00); const both = readR(mine, camera); mine.remove(...mine.children.filter((c: any) => c !== t)); const only = readR(mine, camera);
    const count = (p: Uint8Array, c: number) => { let n = 0; for (let i=0;i<p.length;i+=4) if (p[i+c]>200 && p[i+1-c]<50) n++; return n; };
    out.push(`wall ${count(w,0)} thing in both ${count(both,1)} only ${count(only,1)} camera ${camera.position.toArray()} ${(camera as any).near} ${(camera as any).far} ${camera.type}`); }
  if (o) { const hiders = report.hidersOf(o, camera); out.push(`${o.type} ${o.name} ${JSON.stringify(o.material?.toJSON?.() ?? '')} parent ${o.parent.type} scale ${o.scale.toArray()}`); for (const h of hiders) out.push(`behind ${h.type} ${h.name} ${h.geometry.type} ${JSON.stringify(h.material.toJSON())} ${h.matrixWorld.elements}`); }
  return out.join('\n');
}
