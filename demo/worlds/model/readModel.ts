import { type AnimationClip, Box3, LoadingManager, type Object3D, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { decoded, type GivenFiles } from './GivenFiles.js';
import { ModelError } from './ModelError.js';

const MAGIC = 0x676c5446;
const HEADER = 20;

/** A model as its file has it. */
export interface Model {
  name: string;
  scene: Object3D;
  animations: AnimationClip[];
  /** The files that were read for it. */
  files: readonly File[];
  /** A sentence on each image that it names and that is not given: it is shown without. */
  missing: readonly string[];
}

interface Json {
  asset?: object;
  extensionsRequired?: string[];
  extensionsUsed?: string[];
  buffers?: { uri?: string }[];
  images?: { uri?: string }[];
  textures?: { source?: number }[];
}

/** Reads a .glb, or a .gltf with the files it names, until that is aborted. Nothing but the given files is read. */
export async function readModel(main: File, given: GivenFiles, signal: AbortSignal): Promise<Model> {
  given.take(main, main.name);
  const buffer = await main.arrayBuffer();
  signal.throwIfAborted();
  const json = readJson(buffer, main.name);
  const parts = checkJson(json, main, given);
  const lost = lostImages(json, main, given);

  const manager = new LoadingManager();
  manager.setURLModifier((uri) => {
    signal.throwIfAborted();
    if (isOwn(uri)) return uri;
    const file = given.find(uri, main);
    if (!file) throw new ModelError(`${main.name} asks for “${shorten(uri)}”, which is not among the files.`);
    return given.take(file, main.name);
  });
  const loader = new GLTFLoader(manager);
  // Else the loader would write an error to the console for each.
  loader.register(() => ({
    name: 'lost images',
    loadTexture: (i) => (lost.has(json.textures?.[i]?.source ?? -1) ? Promise.resolve(null as never) : null),
  }));
  const release = await addDecoders(loader, json.extensionsUsed ?? []);
  try {
    const { scene, animations } = await loader.parseAsync(buffer, '');
    const size = scene ? new Box3().setFromObject(scene).getSize(new Vector3()).length() : 0;
    if (!(size > 0 && Number.isFinite(size))) throw new ModelError(`There is nothing to draw in ${main.name}.`);
    const missing = [...new Set(lost.values())].map((file) => `${main.name} is shown without “${file}”.`);
    return { name: main.name, scene, animations, files: [main, ...parts], missing };
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError(`${main.name} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    release();
  }
}

/** The JSON of a .gltf, or of the first chunk of a .glb. */
function readJson(buffer: ArrayBuffer, name: string): Json {
  const view = new DataView(buffer);
  const isBinary = buffer.byteLength >= 4 && view.getUint32(0) === MAGIC;
  try {
    const text = isBinary ? new Uint8Array(buffer, HEADER, view.getUint32(12, true)) : buffer;
    const json: Json | null = JSON.parse(new TextDecoder().decode(text));
    if (json?.asset) return json;
  } catch {
    // The error below covers this.
  }
  throw new ModelError(`${name} is not a glTF file, or it is damaged.`);
}

/** Throws for what is known beforehand not to work; returns the files that a model names. */
function checkJson(json: Json, main: File, given: GivenFiles): File[] {
  const { buffers, images, extensionsRequired } = json;
  const { name } = main;
  if (extensionsRequired?.includes('KHR_texture_basisu')) {
    throw new ModelError(
      `${name} has KTX2 textures, which this page cannot read. Export it with PNG, JPEG or WebP textures.`,
    );
  }
  const uris = [...(buffers ?? []), ...(images ?? [])].flatMap(({ uri }) =>
    uri === undefined || isOwn(uri) ? [] : [uri],
  );
  return uris.flatMap((uri) => {
    const file = given.find(uri, main);
    if (file) given.take(file, name);
    else if (buffers?.some((buffer) => buffer.uri === uri))
      throw new ModelError(`${name} needs the file “${shorten(decoded(uri))}”: drop both together.`);
    return file ?? [];
  });
}

/** The images that are not given, by their numbers in the model. */
function lostImages({ images = [] }: Json, main: File, given: GivenFiles): Map<number, string> {
  const lost = images.flatMap(({ uri }, i) =>
    uri === undefined || isOwn(uri) || given.find(uri, main) ? [] : [[i, shorten(decoded(uri))] as const],
  );
  return new Map(lost);
}

function isOwn(uri: string): boolean {
  return uri.startsWith('data:') || uri.startsWith('blob:');
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
