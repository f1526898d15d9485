import { LoadingManager, type Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ModelError } from './ModelError.js';

/** Their decoders need workers or WebAssembly, which the policy of this page does not allow. */
const COMPRESSED = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_texture_basisu'];

/** Limit of all files together; a larger model would block the page for long. */
const MAX_MEGABYTES = 100;

interface Json {
  asset?: unknown;
  extensionsRequired?: string[];
  buffers?: { uri?: string }[];
  images?: { uri?: string }[];
}

/** Reads a .glb, or a .gltf with the files it names, until that is aborted. Nothing but these files is read. */
export async function readModel(
  files: readonly File[],
  signal: AbortSignal,
): Promise<{ name: string; scene: Object3D }> {
  const main = files.find((file) => /\.(glb|gltf)$/i.test(file.name));
  if (!main) throw new ModelError('There is no .glb or .gltf file among these.');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MEGABYTES * 1e6) {
    throw new ModelError(`${main.name}: more than ${MAX_MEGABYTES} MB are too much for this page.`);
  }
  const buffer = await main.arrayBuffer();
  signal.throwIfAborted();
  const json = readJson(buffer, main.name);

  const compressed = json.extensionsRequired?.filter((name) => COMPRESSED.includes(name)) ?? [];
  if (compressed.length > 0)
    throw new ModelError(`${main.name} is compressed with ${compressed.join(', ')}, which this page cannot read.`);
  const wanted = [...(json.buffers ?? []), ...(json.images ?? [])]
    .map(({ uri }) => uri)
    .filter((uri) => uri !== undefined);
  for (const uri of wanted) {
    if (isOwn(uri) || fileFor(files, uri)) continue;
    throw new ModelError(`${main.name} needs the file “${shorten(uri)}”: drop both together.`);
  }

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
  try {
    const { scene } = await new GLTFLoader(manager).parseAsync(buffer, '');
    return { name: main.name, scene };
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError(`${main.name} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    for (const url of urls) URL.revokeObjectURL(url);
  }
}

/** The JSON of a .gltf, or of the first chunk of a .glb. */
function readJson(buffer: ArrayBuffer, name: string): Json {
  try {
    const view = new DataView(buffer);
    const binary = buffer.byteLength > 20 && view.getUint32(0) === 0x676c5446;
    const text = binary ? new Uint8Array(buffer, 20, view.getUint32(12, true)) : buffer;
    const json: Json | null = JSON.parse(new TextDecoder().decode(text));
    if (json?.asset) return json;
  } catch {
    // The error below covers this.
  }
  throw new ModelError(`${name} is not a glTF file, or it is damaged.`);
}

function isOwn(uri: string): boolean {
  return uri.startsWith('data:') || uri.startsWith('blob:');
}

/** Dropped files have lost their folders. */
function fileFor(files: readonly File[], uri: string): File | undefined {
  let name = uri;
  try {
    name = decodeURIComponent(uri);
  } catch {
    // Not encoded: taken as it is.
  }
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(name)) return undefined;
  const last = name.split(/[\\/]/).pop();
  return files.find((file) => file.name === last);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
