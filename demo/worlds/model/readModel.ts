import { type AnimationClip, LoadingManager, type Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ModelError } from './ModelError.js';

/** Limit of all files together; a larger model would block the page for long. */
const MAX_MEGABYTES = 100;

const MAGIC = 0x676c5446;
const HEADER = 20;

/** A model as its file has it. */
export interface Model {
  name: string;
  scene: Object3D;
  animations: AnimationClip[];
}

interface Json {
  asset?: { version?: string };
  extensionsRequired?: string[];
  extensionsUsed?: string[];
  buffers?: { uri?: string }[];
  images?: { uri?: string }[];
}

/** Reads a .glb, or a .gltf with the files it names, until that is aborted. Nothing but these files is read. */
export async function readModel(files: readonly File[], signal: AbortSignal): Promise<Model> {
  const main = files.find((file) => /\.(glb|gltf)$/i.test(file.name));
  if (!main) throw new ModelError('There is no .glb or .gltf file among these.');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MEGABYTES * 1e6) {
    throw new ModelError(`${main.name}: more than ${MAX_MEGABYTES} MB are too much for this page.`);
  }
  const buffer = await main.arrayBuffer();
  signal.throwIfAborted();
  const json = readJson(buffer, main.name);
  checkJson(json, main.name, files);

  const urls: string[] = [];
  const manager = new LoadingManager();
  manager.setURLModifier((uri) => {
    signal.throwIfAborted();
    if (isOwn(uri)) return uri;
    const file = fileFor(files, uri);
    if (!file) throw new ModelError(`${main.name} asks for “${shorten(uri)}”, which is not among the files.`);
    const url = URL.createObjectURL(file);
    urls.push(url);
    return url;
  });
  const loader = new GLTFLoader(manager);
  const release = await addDecoders(loader, json.extensionsUsed ?? []);
  try {
    const { scene, animations } = await loader.parseAsync(buffer, '');
    if (!scene) throw new ModelError(`There is nothing to draw in ${main.name}.`);
    return { name: main.name, scene, animations };
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError(`${main.name} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    release();
    for (const url of urls) URL.revokeObjectURL(url);
  }
}

/** The JSON of a .gltf, or of the first chunk of a .glb. */
function readJson(buffer: ArrayBuffer, name: string): Json {
  const view = new DataView(buffer);
  const isBinary = buffer.byteLength >= 4 && view.getUint32(0) === MAGIC;
  const length = isBinary && buffer.byteLength >= HEADER ? view.getUint32(8, true) : HEADER;
  if (isBinary && buffer.byteLength < length) {
    const [here, all] = [buffer.byteLength, length].map((count) => count.toLocaleString('en'));
    throw new ModelError(`${name} is cut off: it has ${here} of at least ${all} bytes.`);
  }
  try {
    const text = isBinary ? new Uint8Array(buffer, HEADER, view.getUint32(12, true)) : buffer;
    const json: Json | null = JSON.parse(new TextDecoder().decode(text));
    if (json?.asset) return json;
  } catch {
    // The error below covers this.
  }
  throw new ModelError(`${name} is not a glTF file, or it is damaged.`);
}

/** What is known beforehand not to work. */
function checkJson({ asset, buffers, images, extensionsRequired }: Json, name: string, files: readonly File[]): void {
  if (!String(asset?.version ?? '').startsWith('2')) {
    throw new ModelError(`${name} is glTF ${asset?.version ?? 'of no version'}; this page reads glTF 2.0.`);
  }
  if (extensionsRequired?.includes('KHR_texture_basisu')) {
    throw new ModelError(
      `${name} has KTX2 textures, which this page cannot read. Export it with PNG, JPEG or WebP textures.`,
    );
  }
  for (const { uri } of [...(buffers ?? []), ...(images ?? [])]) {
    if (uri === undefined || isOwn(uri) || fileFor(files, uri)) continue;
    throw new ModelError(`${name} needs the file “${shorten(decoded(uri))}”: drop both together.`);
  }
}

function isOwn(uri: string): boolean {
  return uri.startsWith('data:') || uri.startsWith('blob:');
}

/** Dropped files have lost their folders. */
function fileFor(files: readonly File[], uri: string): File | undefined {
  const name = decoded(uri);
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(name)) return undefined;
  const last = name.split(/[\\/]/).pop();
  return files.find((file) => file.name === last);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // Not encoded: taken as it is.
    return uri;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** Frees what a decoder holds, its workers included. */
type Release = () => void;

const addMeshopt = async (loader: GLTFLoader): Promise<Release> => {
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  loader.setMeshoptDecoder(MeshoptDecoder);
  return () => {};
};

/** Decoders by the extension that needs them; their code is loaded with the first file that does. */
const DECODERS: Readonly<Record<string, (loader: GLTFLoader, manager: LoadingManager) => Promise<Release>>> = {
  async KHR_draco_mesh_compression(loader, manager) {
    const { DRACOLoader, DRACO_GLTF_CONFIG } = await import('three/addons/loaders/DRACOLoader.js');
    const draco = new DRACOLoader(manager).setDecoderPath(DRACO_GLTF_CONFIG);
    loader.setDRACOLoader(draco);
    return () => draco.dispose();
  },
  EXT_meshopt_compression: addMeshopt,
  KHR_meshopt_compression: addMeshopt,
};

/**
 * Gives a loader the decoders for the extensions that a file uses. KTX2 textures have none: their decoder compiles code at
 * run time, which the policy of the page forbids.
 */
async function addDecoders(loader: GLTFLoader, extensions: readonly string[]): Promise<Release> {
  // It finds the files of the decoders, which are the page's and not among the given ones.
  const manager = new LoadingManager();
  const releases: Release[] = [];
  for (const name of extensions) {
    const release = await DECODERS[name]?.(loader, manager);
    if (release) releases.push(release);
  }
  return () => {
    for (const release of releases) release();
  };
}
