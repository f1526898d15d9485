import GUI, { type Controller } from 'lil-gui';
import { STRUCTURES } from '../../src/index.js';
import { LEVELS, type Settings } from '../state/Settings.js';
import type { Store } from '../state/Store.js';
import { adoptLilGuiStyles } from './lilGuiStyles.js';

/** All settings in one place. Each change is live. */
export function openPanel(container: HTMLElement, store: Store, openFile: () => void): void {
  adoptLilGuiStyles();
  const { settings } = store;
  const gui = new GUI({ container, injectStyles: false, title: 'Settings' });

  const world = gui.addFolder('World');
  const shown = { world: settings.world };
  const choice = world.add(shown, 'world', { Town: 'town', Cities: 'cities', 'Your model…': 'model' }).name('World');
  choice.onChange((name: Settings['world']) => {
    if (name === 'model') openFile();
    else store.set({ world: name });
  });
  live(world.add(settings, 'theme', { 'As the system': 'auto', Dark: 'dark', Light: 'light' }).name('Theme'));

  const index = gui.addFolder('Index');
  live(index.add(settings, 'mode', { Index: 'index', 'Plain three': 'three' }).name('Culling by'));
  live(index.add(settings, 'structure', [...STRUCTURES]).name('Structure'));
  live(index.add(settings, 'planar').name('Planar (quadtree)'));
  live(index.add(settings, 'capacity', 1, 256, 1).name('Capacity'));
  live(index.add(settings, 'maxDepth', 1, 64, 1).name('Max depth'));
  live(index.add(settings, 'looseness', 1, 8, 0.1).name('Looseness'));
  live(index.add(settings, 'minCellSize', 0, 50, 0.5).name('Min cell size'));

  const nodes = gui.addFolder('Nodes');
  live(nodes.add(settings, 'nodes', { None: 'none', 'From above': 'above', 'Both views': 'both' }).name('Show in'));
  live(nodes.add(settings, 'bounds', { Contents: 'content', Cells: 'cell' }).name('Boxes of'));
  live(nodes.add(settings, 'minLevel', 0, LEVELS, 1).name('From level'));
  live(nodes.add(settings, 'maxLevel', 0, LEVELS, 1).name('To level'));

  const camera = gui.addFolder('Player');
  live(camera.add(settings, 'autopilot').name('Autopilot'));
  live(camera.add(settings, 'classColours').name('Class colours'));
  live(camera.add(settings, 'fov', 20, 110, 1).name('Field of view'));
  live(camera.add(settings, 'far', 2, 500, 1).name('View distance'));

  // Whoever else changes a setting shows here as well.
  store.on(null, () => {
    shown.world = settings.world;
    for (const controller of gui.controllersRecursive()) controller.updateDisplay();
  });

  function live(controller: Controller): void {
    controller.onChange(() => store.announce([controller.property as keyof Settings]));
  }
}
