import { Vector3 } from 'three';
import { FlyControls } from './control/FlyControls.js';
import { Pointer } from './control/Pointer.js';
import { Culling } from './measure/Culling.js';
import { Measurements } from './measure/Measurements.js';
import { Opened } from './Opened.js';
import './probe.js';
import { Selection } from './Selection.js';
import { DEFAULTS, indexOptions, type WorldName } from './state/Settings.js';
import { Store } from './state/Store.js';
import { applyTheme, isLight, onSystemTheme } from './state/theme.js';
import { readFixed, readUrl, writeUrl } from './state/url.js';
import { bindBar } from './ui/bindBar.js';
import { bindKeys } from './ui/bindKeys.js';
import { byId } from './ui/element.js';
import { Guide } from './ui/Guide.js';
import { Hud } from './ui/Hud.js';
import { listenForDrops } from './ui/listenForDrops.js';
import { Notice } from './ui/Notice.js';
import { openPanel } from './ui/openPanel.js';
import { PickCard } from './ui/PickCard.js';
import { AboveView } from './views/AboveView.js';
import { PlayerView } from './views/PlayerView.js';
import { paletteOf } from './views/palette.js';
import { Stage } from './views/Stage.js';
import { citiesWorld } from './worlds/cities.js';
import { droppedWorld } from './worlds/dropped.js';
import { ModelError } from './worlds/readModel.js';
import { townWorld } from './worlds/town.js';
import type { World } from './worlds/World.js';

// Settings, from the address of the page.
const fixed = readFixed(location.search);
const { settings: first, poses } = readUrl(location.search);
if (matchMedia('(prefers-reduced-motion: reduce)').matches) first.autopilot = false;
const store = new Store();
store.set(first);
const { settings } = store;

// The page.
const notice = new Notice(byId('notice'));
const hud = new Hud(byId('hud'));
const guide = new Guide(byId<HTMLDialogElement>('guide'), 'City data: GeoNames, CC BY 4.0.');
const fileInput = byId<HTMLInputElement>('files');
const [playerPane, abovePane] = [byId('player'), byId('above')];
for (const pane of [playerPane, abovePane]) pane.tabIndex = 0;

// Two views of one world, in one canvas.
const stage = new Stage(byId<HTMLCanvasElement>('canvas'), fixed, (lost) => {
  if (lost) notice.show('The graphics context was lost. Waiting for it to come back…');
  else notice.clear();
  ask();
});
const player = new PlayerView();
const above = new AboveView(abovePane);
const fly = new FlyControls(player.camera, playerPane, () => store.set({ autopilot: false }));

// What is measured and what is picked.
const seen = new Measurements();
const culling = new Culling(seen);
const card = new PickCard(byId('card'), remove, clear);
const selection = new Selection(culling.sight, card, byId('tip'));
const cameraOf = (pane: HTMLElement) => (pane === playerPane ? player.camera : above.camera);
const pointer = new Pointer([playerPane, abovePane], (at, add) => {
  if (add || settings.adding) selection.add(at, cameraOf(at.pane));
  else selection.pick(at, cameraOf(at.pane));
});

bindBar(store, { openFile: () => fileInput.click(), help: () => guide.toggle() });
bindKeys(store, { guide, remove, clear });
openPanel(byId('panel'), store, () => fileInput.click());
listenForDrops(byId('drop'), openFiles);
fileInput.addEventListener('change', () => {
  openFiles([...(fileInput.files ?? [])]);
  // The same file once more is a change, too.
  fileInput.value = '';
});

// Every setting is live.
let opened: Opened | null = null;
store.on(['world'], () => {
  if (settings.world !== 'model' && settings.world !== opened?.world.name) openNamed(settings.world);
});
store.on(['structure', 'capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness'], () => {
  opened?.index.setStructure(settings.structure, indexOptions(settings));
  opened?.showNodes(settings);
  seen.reset();
  hud.clear();
});
store.on(['nodes', 'bounds', 'minLevel', 'maxLevel'], () => opened?.showNodes(settings));
store.on(['classColours'], () => {
  if (opened) player.use(opened.world.playerDrawing(settings.classColours));
});
store.on(['fov', 'far'], lens);
store.on(['theme'], paint);
store.on(['autopilot'], () => {
  if (settings.autopilot) opened?.pilot.resume(player.camera);
});
store.on(['adding'], () => {
  stage.canvas.parentElement!.dataset.tool = settings.adding ? 'add' : 'look';
});
store.on(null, ask);
onSystemTheme(paint);
let aboveMoved = poses.above !== null;
above.controls.addEventListener('start', () => {
  aboveMoved = true;
});

let opening = 0;

function openNamed(name: WorldName): Promise<void> {
  const told = (share: number) => notice.show(`Raising 135,233 towers… ${Math.round(100 * share)} %`);
  notice.show('Loading…');
  return open(() => (name === 'cities' ? citiesWorld(told) : townWorld()));
}

function openFiles(files: File[]): void {
  if (files.length === 0) return;
  notice.show('Reading…');
  void open(() => droppedWorld(files));
}

/** Opens a world; until it is there, and if it fails, the old one stays. */
async function open(load: () => Promise<World>): Promise<void> {
  const turn = ++opening;
  try {
    const world = await load();
    if (turn !== opening) return world.dispose();
    show(world);
    notice.clear();
  } catch (error) {
    if (turn !== opening) return;
    notice.error(error instanceof ModelError ? error.message : `This world could not be opened: ${String(error)}`);
    if (opened) store.set({ world: opened.world.name });
  }
  ask();
}

function show(world: World): void {
  const isFirst = opened === null;
  selection.open(null);
  culling.forget();
  opened?.dispose();
  const { planar, far, maxLevel } = DEFAULTS[world.name];
  // Set before the store tells that the world changed: it would be opened again.
  if (!isFirst) Object.assign(settings, { planar, far, maxLevel });
  opened = new Opened(world, settings);
  store.set({ world: world.name });
  store.announce(['far', 'maxLevel']);

  player.use(world.playerDrawing(settings.classColours));
  player.scene.add(opened.playerNodes);
  above.scene.add(opened.aboveNodes);
  fly.speed = world.speed;
  fly.floor = world.ground + 2 * world.near;
  opened.pilot.jump(player.camera, fixed.time ?? 0);
  lens();
  if (isFirst && poses.player) lookFrom(poses.player);
  above.open(world, player.camera.position, abovePane.clientWidth / abovePane.clientHeight);
  if (isFirst && poses.above) above.pose = poses.above;
  else aboveMoved = false;
  selection.open(opened);
  const credit = byId('credit');
  credit.textContent = world.credit;
  credit.hidden = !world.credit;
  seen.reset();
  hud.clear();
  paint();
}

function lookFrom([x, y, z, u, v, w]: number[]): void {
  player.camera.position.set(x!, y!, z!);
  player.camera.lookAt(u!, v!, w!);
}

function lens(): void {
  player.lens(settings.fov, opened?.world.near ?? 0.1, settings.far);
  paint();
}

function paint(): void {
  applyTheme(settings.theme);
  const palette = paletteOf(isLight(settings.theme));
  player.paint(palette, settings.far);
  above.paint(palette);
  opened?.lightenNodes(isLight(settings.theme) ? 0.38 : 0.6);
  opened?.world.above.paint(palette, Number.POSITIVE_INFINITY);
  opened?.world.playerDrawing(settings.classColours).paint(palette, settings.far);
  ask();
}

function remove(): void {
  selection.remove();
  ask();
}

function clear(): void {
  selection.clear();
  store.set({ adding: false });
  ask();
}

// Frames: all the time, or (animate=0) some after each request.
let wanted = 0;
function ask(): void {
  wanted = 5;
}
for (const type of ['pointermove', 'pointerdown', 'pointerup', 'keydown', 'keyup', 'wheel', 'resize', 'click']) {
  addEventListener(type, ask, { passive: true });
}

let frames = 0;
let seconds = fixed.time ?? 0;
let last = 0;
let lastHud = 0;
let lastUrl = 0;
let tellReady: () => void;
const ready = new Promise<void>((resolve) => {
  tellReady = resolve;
});

function frame(now: number): void {
  const step = Math.min(0.1, (now - last) / 1000);
  if (last > 0) {
    stage.pace(now - last);
    seen.frame.add(now - last);
  }
  last = now;
  if (!opened || document.hidden || !stage.fit()) return;
  if (!fixed.animate && wanted-- <= 0) return;
  const { world, index, pilot } = opened;

  // Time passes, unless it stands still.
  const passed = fixed.animate && fixed.time === null ? step : 0;
  seconds += passed;
  world.animate(seconds);
  if (!settings.autopilot) fly.fly(step);
  else if (passed > 0) pilot.fly(player.camera, passed);
  above.follow(player.camera.position);
  if (!stage.aim(playerPane, player.camera) || !stage.aim(abovePane, above.camera)) return;
  player.camera.updateMatrixWorld();
  above.camera.updateMatrixWorld();

  // The index follows, and tells what is to be seen.
  seen.update.time(() => index.update());
  culling.run(index, player.camera, settings.mode);
  const { hover } = pointer;
  selection.hover(hover, cameraOf(hover?.pane ?? playerPane));
  opened.updateNodes();

  // Both views.
  player.show(culling.sight, selection.boxOf);
  seen.drawCalls = stage.draw(playerPane, player.scene, player.camera);
  above.show(culling.sight, player.camera, selection.boxOf);
  stage.draw(abovePane, above.scene, above.camera);

  frames++;
  tellReady();
  if (now - lastHud > 160 || !fixed.animate) {
    lastHud = now;
    hud.show(seen, opened.facts, settings.mode);
  }
  if (now - lastUrl > 500) {
    lastUrl = now;
    rememberInUrl();
  }
}

function rememberInUrl(): void {
  const { position } = player.camera;
  const ahead = player.camera.getWorldDirection(new Vector3()).multiplyScalar(10).add(position);
  const here = settings.autopilot ? null : [...position.toArray(), ...ahead.toArray()];
  // A view that travels with the autopilot has no place of its own.
  const travels = settings.autopilot && opened?.world.follow;
  const search = writeUrl(location.search, settings, {
    player: here,
    above: aboveMoved && !travels ? above.pose : null,
  });
  if (search !== location.search) history.replaceState(null, '', search || location.pathname);
}

window.__demo = Object.freeze({
  get world() {
    return opened?.world.name ?? '';
  },
  get structure() {
    return opened?.index.structure ?? '';
  },
  get counts() {
    const { inside, intersecting, culled, visible, total } = seen;
    return { inside, intersecting, culled, visible, total };
  },
  get picked() {
    return selection.pickedName;
  },
  get frames() {
    return frames;
  },
  get eye() {
    return player.camera.position.toArray();
  },
  ready,
});

paint();
void openNamed(settings.world);
stage.renderer.setAnimationLoop(frame);
