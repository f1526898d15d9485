import { createElement } from 'react';
import { BoxGeometry, MeshBasicMaterial } from 'three';
import { Accelerated, useSceneIndex, useVisible } from 'three-scene-index/react';

/** The test edits this line. */
const VERSION = 0;

const PROPS = [
  {},
  { structure: 'bvh' },
  { structure: 'grid', batch: { atLeast: 4 } },
  { batch: { atLeast: 4 }, cullCasters: true },
  { key: 'another', batch: { atLeast: 4 } },
  { structure: 'bvh', batch: { atLeast: 2 } },
];

const onIndex = (index) => void window.indices.push(index);
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

/** Tells what the hooks give. */
function Asker() {
  const index = useSceneIndex();
  const visible = useVisible();
  window.found = { index, visible, version: VERSION };
  return null;
}

export function Content() {
  const meshes = Array.from({ length: 20 }, (_, i) =>
    createElement('mesh', { key: i, position: [(i % 5) * 3 - 6, i - 10, i % 2 === 0 ? 0 : 100], geometry, material }),
  );
  return createElement(
    Accelerated,
    { ...PROPS[VERSION], onIndex },
    createElement(Asker, { version: VERSION }),
    ...meshes,
  );
}
