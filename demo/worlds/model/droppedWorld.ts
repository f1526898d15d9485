import { Box3, Group, type Mesh, MeshStandardMaterial, type Object3D, Vector3 } from 'three';
import { element } from '../../ui/parts/element.js';
import { renderMarkdown } from '../../ui/parts/renderMarkdown.js';
import { disposeTree, isDrawable } from '../../views/drawings/Drawing.js';
import type { World } from '../contract/World.js';
import { closeRoute } from './closeRoute.js';
import { type KitModel, readKit } from './kit.js';
import { measureModel, play } from './measureModel.js';
import { modelWorld } from './modelWorld.js';

/** Every model is brought to this size (corner to corner), so that speed, fog and controls fit it. */
const SIZE = 120;

/** The user's own model, measured before it is shown. */
export async function droppedWorld(
  files: readonly File[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<World> {
  const model = await readKit(files, signal);
  const root = new Group();
  root.name = model.name;
  root.add(model.scene);
  try {
    return await measuredWorld(root, model, onProgress, signal);
  } catch (error) {
    disposeTree(root);
    throw error;
  }
}

async function measuredWorld(
  root: Group,
  model: KitModel,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<World> {
  const { scene, animations } = model;
  const { bounds, unit } = fitToSize(root);
  const route = closeRoute(root, bounds);
  const pane = reportPane(await measureModel(root, model, { route, signal, onProgress }));
  // Only now: it is measured as its author made it.
  dullMetal(root);
  const mixer = play(scene, animations);
  const drawables: Object3D[] = [];
  if (mixer) root.traverse((object) => isDrawable(object) && drawables.push(object));
  const world = modelWorld(root, {
    staticObjects: mixer ? [] : [...root.children],
    moves: () => mixer !== null,
    step(seconds, batch) {
      if (!mixer) return;
      mixer.update(seconds);
      for (const object of drawables) batch.move(object);
    },
    route,
    bounds,
    unit,
  });
  return {
    ...world,
    overlay: pane,
    dispose() {
      pane.remove();
      mixer?.stopAllAction();
      world.dispose();
    },
  };
}

/** Scales a model to the size of all models; returns its bounds, and units for one of the file. */
function fitToSize(root: Group): { bounds: Box3; unit: number } {
  const bounds = new Box3().setFromObject(root);
  const unit = SIZE / bounds.getSize(new Vector3()).length();
  root.scale.setScalar(unit);
  root.updateMatrixWorld(true);
  bounds.min.multiplyScalar(unit);
  bounds.max.multiplyScalar(unit);
  return { bounds, unit };
}

/** Without an environment map, pure metal would be black. */
function dullMetal(root: Object3D): void {
  root.traverse((object) => {
    for (const material of [(object as Mesh).material].flat()) {
      if (material instanceof MeshStandardMaterial) material.metalness = Math.min(material.metalness, 0.3);
    }
  });
}

/** What was measured of the model, over the views: to read, to fold away, and to copy as Markdown. */
function reportPane(report: string): HTMLElement {
  const status = element('span', { role: 'status' });
  const copy = element('button', { type: 'button', 'data-act': 'copy' }, 'Copy as Markdown');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(report);
      status.textContent = 'Copied.';
    } catch {
      status.textContent = 'This browser does not let the page copy.';
    }
  });
  const note = element('p', { class: 'note' }, 'Read and measured in this page. Nothing was uploaded.');
  return element(
    'details',
    { class: 'model-report', id: 'modelReport', open: '' },
    element('summary', {}, 'Report'),
    element('div', { class: 'actions' }, copy, status),
    element('article', { 'aria-label': 'Report on the model' }, ...renderMarkdown(report), note),
  );
}
