import type { Mesh, MeshStandardMaterial } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import scansUrl from '../../../assets/scans.glb?url';

export type Scan = Mesh<Mesh['geometry'], MeshStandardMaterial>;

/** Textures seen at a slant stay sharp. */
const ANISOTROPY = 4;

/** Loads the scans, each of which is one mesh with a material of its own, by their names. */
export async function loadScans(): Promise<ReadonlyMap<string, Scan>> {
  const { scene } = await new GLTFLoader().loadAsync(scansUrl);
  const scans = new Map<string, Scan>();
  for (const scan of [...scene.children] as Scan[]) {
    scan.removeFromParent();
    // The loader turns blanks into underscores and keeps the name as written aside.
    scan.name = (scan.userData.name as string | undefined) ?? scan.name;
    scan.material.map!.anisotropy = ANISOTROPY;
    scans.set(scan.name, scan);
  }
  return scans;
}
