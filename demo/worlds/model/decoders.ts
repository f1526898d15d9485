import type { LoadingManager } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

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
 * @param manager Finds the files of the decoders, which are the page's.
 */
export async function addDecoders(
  loader: GLTFLoader,
  extensions: readonly string[],
  manager: LoadingManager,
): Promise<Release> {
  const releases: Release[] = [];
  for (const name of extensions) {
    const release = await DECODERS[name]?.(loader, manager);
    if (release) releases.push(release);
  }
  return () => {
    for (const release of releases) release();
  };
}
