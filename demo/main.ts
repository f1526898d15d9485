import { Player } from './control/Player.js';
import { Pointer } from './control/Pointer.js';
import { Culling } from './measure/Culling.js';
import { Growth } from './measure/Growth.js';
import { Measurements } from './measure/Measurements.js';
import { CurrentNodes } from './page/CurrentNodes.js';
import { Frames } from './page/Frames.js';
import { NodeInspection } from './page/NodeInspection.js';
import { PickedObject } from './page/PickedObject.js';
import { exposeProbe } from './page/probe.js';
import { Selection } from './page/Selection.js';
import { Stillness } from './page/Stillness.js';
import { WorldLoader } from './page/WorldLoader.js';
import { isBuiltIn, modeIn, modesOf, type WorldName, worldEntry } from './state/catalogue.js';
import { applyStructure } from './state/chosenIndex.js';
import { INDEX_OPTIONS } from './state/controls/indexControls.js';
import { settingsOfWorld } from './state/Settings.js';
import { Store } from './state/Store.js';
import { applyTheme, onSystemTheme } from './state/theme.js';
import { readTestOptions, readUrl, writeUrl } from './state/url.js';
import { About } from './ui/About.js';
import { bindBar } from './ui/bindBar.js';
import { bindKeys } from './ui/bindKeys.js';
import { GrowthNote } from './ui/GrowthNote.js';
import { Guide } from './ui/Guide.js';
import { Hud } from './ui/Hud.js';
import { Legend } from './ui/Legend.js';
import { listenForDrops } from './ui/listenForDrops.js';
import { ModelDialog } from './ui/ModelDialog.js';
import { NodeCard } from './ui/NodeCard.js';
import { Notice } from './ui/Notice.js';
import { Panel } from './ui/Panel.js';
import { PaneNotes } from './ui/PaneNotes.js';
import { PickCard } from './ui/PickCard.js';
import { byId } from './ui/parts/element.js';
import { placeCustomView } from './ui/placeCustomView.js';
import { SideBySide } from './ui/SideBySide.js';
import { isFirstVisit, Tour } from './ui/Tour.js';
import { LoadedWorld } from './views/LoadedWorld.js';
import type { CastRay } from './views/Marks.js';
import { Views } from './views/Views.js';
import type { World } from './worlds/contract/World.js';
import { loadModel, loadWorld, SAMPLES } from './worlds/loadWorld.js';

// Settings from the address.
const testOptions = readTestOptions(location.search);
const first = readUrl(location.search);
/** The address leaves open how the world is drawn. */
const isModeOpen = !new URLSearchParams(location.search).has('mode');
if (matchMedia('(prefers-reduced-motion: reduce)').matches)
  Object.assign(first.settings, { autopilot: false, paused: true });
const store = new Store();
const { settings } = store;
store.set(first.settings);
Object.assign(store.worldValues[settings.world], first.worldValues);

// The page.
const frames = new Frames(testOptions);
const notice = new Notice(byId('notice'));
const hud = new Hud(byId('hud'));
const guide = new Guide(byId<HTMLDialogElement>('guide'), takeTour);
const fileInput = byId<HTMLInputElement>('files');
const panes = { player: byId('player'), above: byId('above') };
const views = new Views(byId<HTMLCanvasElement>('canvas'), panes, testOptions, (lost) => {
  if (lost) notice.show('The graphics context was lost. Waiting for it to come back…');
  else notice.clear();
  frames.request();
});
const player = new Player(panes.player, () => store.set({ autopilot: false }));

// Measuring and picking.
const measurements = new Measurements();
const culling = new Culling(measurements);
const nodes = new CurrentNodes();
const card = new PickCard(byId('card'), panes.player);
const pickedObject = new PickedObject(views, settings);
const selection = new Selection(culling.result, nodes, pickedObject, card, byId('tip'));
const notes = new PaneNotes(panes);
const legend = new Legend(panes.above);
const about = new About(byId('stage'));
const inspection = new NodeInspection(views, nodes, new NodeCard(byId('stage'), panes.above), (object) => {
  selection.select(object);
  frames.request();
});
const sides = new SideBySide(panes.player, store);
const stillness = new Stillness(performance.now());
const growth = new Growth((times) => {
  store.worldValues.town.times = times;
  loaded?.world.onControlChanged?.('times');
  captionAbove();
  store.announce([]);
});
const growthNote = new GrowthNote(panes.player, growth);
const tour = new Tour(measurements, store);
/** Null: on a first visit. */
let isTourDue = testOptions.tour;
const pointer = new Pointer(Object.values(panes), (at, byKey) => {
  if (settings.adding) selection.add(at, views.cameraOf(at.pane));
  else {
    selection.pick(at, views.cameraOf(at.pane));
    if (at.pane === panes.above) inspection.keep(at, settings);
    else if (byKey) card.focus();
  }
});
card.onClose = clear;
// There is room for one of the two.
card.onShow = () => about.open(false);
about.onOpen = () => selection.clear();
card.onNode = () => {
  if (culling.result.picked) inspection.keepHolderOf(culling.result.picked);
};
pickedObject.onHidden = (count) => notes.showHidden(count);
notes.onShowAll = () => pickedObject.showAll();
selection.onCast = ({ ray, length }) => {
  const test = nodes.tree?.testedBy(ray, length);
  showRay(test ? { ray, length, ...test } : null);
};

const modelDialog = new ModelDialog(
  (isFolder) => {
    fileInput.webkitdirectory = isFolder;
    fileInput.click();
  },
  SAMPLES.map((sample) => ({ ...sample, open: () => openModel(sample) })),
);
bindBar(store, { openFile: () => modelDialog.open(), help: () => guide.toggle() });
bindKeys(store, { guide, remove, clear });
const panel = new Panel(byId('panel'), store, () => modelDialog.open());
listenForDrops(byId('drop'), openFiles);
fileInput.addEventListener('change', () => {
  openFiles([...(fileInput.files ?? [])]);
  // So that choosing the same file again is a change.
  fileInput.value = '';
});

// Settings apply at once.
let loaded: LoadedWorld | null = null;
store.on(['world'], () => {
  if (settings.world !== loaded?.name) openNamed(settings.world);
});
store.on(['structure', ...INDEX_OPTIONS], () => {
  if (loaded) applyStructure(loaded.index, settings);
  loaded?.showNodes(settings);
  measurements.reset();
});
store.on(['nodes', 'bounds', 'minLevel', 'maxLevel'], () => loaded?.showNodes(settings));
store.on(['nodes'], showLegend);
store.on(['fov', 'far', 'classColours', 'theme'], paint);
store.on(['autopilot'], () => {
  if (!settings.autopilot) return;
  player.resume();
  store.set({ paused: false });
});
store.on(['adding'], () => {
  byId('stage').dataset.tool = settings.adding ? 'add' : 'look';
});
store.on(null, frames.request);
onSystemTheme(paint);

const loader = new WorldLoader(notice, show, () => {
  if (loaded) store.set({ world: loaded.name });
  frames.request();
});

function openNamed(name: WorldName): void {
  if (isBuiltIn(name)) void loader.load(name, (onProgress) => loadWorld(name, store.worldValues[name], onProgress));
}

function openFiles(files: File[]): void {
  if (files.length > 0) openModel(files);
}

function openModel(model: Parameters<typeof loadModel>[0]): void {
  modelDialog.close();
  void loader.load('model', (onProgress, signal) => loadModel(model, onProgress, signal));
}

/** The tour tells of two views. */
function takeTour(): void {
  isTourDue = true;
  if (loaded?.world.customView) store.set({ world: 'town' });
  frames.request();
}

function show(name: WorldName, world: World): void {
  tour.end();
  if (growth.isRunning) growth.stop();
  const isFirst = loaded === null;
  selection.open(null);
  nodes.open(null);
  inspection.open(null);
  showRay(null);
  culling.clear();
  loaded?.dispose();
  loaded = null;
  store.set({ ...(isFirst ? {} : settingsOfWorld(name)), world: name, mode: modeIn(name, settings.mode) });
  world.step?.(testOptions.time ?? 0);
  const now = new LoadedWorld(name, world, settings);
  loaded = now;
  // First, because cameras take the shape of the panes.
  placeCustomView(world.customView ?? null);
  player.open(world, testOptions.time ?? 0);
  if (isFirst && first.poses.player) player.lookFrom(first.poses.player);
  views.open(now, settings, player.position);
  if (isFirst && first.poses.above) views.lookFromAbove(first.poses.above);
  nodes.open(now.index);
  selection.open(now);
  inspection.open(now);
  if (world.overlay) byId('stage').append(world.overlay);
  if (world.customView) world.customView.onValuesChanged = () => store.announce([]);
  panel.open(name, world.customView === undefined, (control) => {
    world.onControlChanged?.(control);
    views.costs?.reset();
    player.goTo(world.route);
    captionAbove();
    frames.request();
  });
  captionAbove();
  hud.open(modesOf(name), world.pick === undefined);
  showLegend();
  about.show(worldEntry(name).about, settings.theme);
  about.open(!world.customView);
  const credit = byId('credit');
  credit.textContent = worldEntry(name).credit ?? '';
  credit.hidden = !credit.textContent;
  byId<HTMLButtonElement>('add').disabled = !world.add;
  growthNote.open(world.copies ? now.index.size : null);
  stillness.reset();
  measurements.reset();
  frames.request();
}

function captionAbove(): void {
  byId('aboveCaption').textContent = loaded?.world.aboveCaption?.() ?? 'From above';
}

function showLegend(): void {
  legend.show(loaded?.world);
  legend.showDepths(settings.nodes !== 'none' && loaded !== null && loaded.index.size > 0);
}

function paint(): void {
  applyTheme(settings.theme);
  about.show(worldEntry(loaded?.name ?? settings.world).about, settings.theme);
  views.apply(settings);
  frames.request();
}

/** Draws the ray of a pick and says what it tested; null: neither. */
function showRay(cast: CastRay | null): void {
  views.trace(cast);
  const { tree } = nodes;
  if (!cast || !tree?.size) notes.showRay(null);
  else {
    const { entered, missed } = cast;
    notes.showRay({ entered: entered.length, tested: entered.length + missed.length, nodes: tree.size });
  }
}

function remove(): void {
  selection.remove();
  frames.request();
}

function clear(): void {
  // While the first world loads there is none to return to.
  if (loaded) loader.cancel();
  selection.clear();
  inspection.close();
  showRay(null);
  store.set({ adding: false });
  frames.request();
}

for (const type of ['pointermove', 'pointerdown', 'pointerup', 'keydown', 'keyup', 'wheel', 'resize', 'click']) {
  addEventListener(type, frames.request, { passive: true });
  addEventListener(type, () => stillness.touch(performance.now()), { passive: true });
}

const isTimeForHud = frames.every(500);
const isTimeForNodes = frames.every(250);
const isTimeForUrl = frames.every(500);

function frame(now: number): void {
  const passed = frames.tick(now);
  if (passed > 0) {
    // The resolution must not adapt while a custom view measures.
    if (!loaded?.world.customView && !growth.isRunning) views.stage.pace(passed);
    measurements.frame.add(passed, settings.mode);
  }
  // A model is measured while nothing else draws.
  if (!loaded || document.hidden || loader.loading === 'model') return;
  if (!views.stage.fit() || !frames.shouldDraw()) return;
  const { world, index } = loaded;
  const still = frames.timeRuns
    ? stillness.modeAt(now, modeIn(loaded.name, settings.mode), modesOf(loaded.name))
    : settings.mode;
  const mode = growth.wayAt(now) ?? still;

  // Advance time.
  const held = Frames.seconds(passed);
  const flown = frames.timeRuns && !settings.paused ? held : 0;
  world.step?.(flown);
  if (world.customView) {
    if (world.customView.frame(views.stage, settings, passed, isTimeForHud(now))) frames.request();
    frames.countFrame();
    if (isTimeForUrl(now)) rememberInUrl();
    return;
  }
  player.move(settings.autopilot, held, flown);
  player.placeCamera(views.player.camera);
  views.above.follow(player.position);
  if (!views.aim()) return;

  // Update the index and cull.
  measurements.update.time(() => index.update());
  culling.run(index, views.player.camera, mode);
  world.query?.(index, culling.result, player);
  hover(loaded, isTimeForNodes(now));
  measurements.drawCalls = views.draw(culling.result, selection.boxOf, { ...settings, mode });
  frames.countFrame();
  if (isTimeForHud(now)) {
    hud.show(measurements, loaded.facts, settings.mode, world.report?.() ?? null, views.costs);
    selection.refresh();
    if (views.costs) sides.show(views.costs);
    growthNote.show();
    if (isTourDue ?? isFirstVisit()) tour.start();
    else if (isTourDue === null && isModeOpen && settings.world === 'town') store.set({ mode: 'both' });
    isTourDue = false;
  }
  if (isTimeForUrl(now)) rememberInUrl();
}

function hover(world: LoadedWorld, isTimeForNodes: boolean): void {
  const { hover: at } = pointer;
  selection.hover(at, views.cameraOf(at?.pane ?? panes.player));
  world.updateNodes();
  inspection.hover(at?.pane === panes.above ? at : null, settings, isTimeForNodes);
}

function rememberInUrl(): void {
  // The pose of a view that follows the autopilot is not worth keeping.
  const travels = settings.autopilot && loaded?.world.follow;
  const search = writeUrl(location.search, {
    settings,
    worldValues: store.worldValues[settings.world],
    poses: {
      player: settings.autopilot ? null : player.pose,
      above: views.aboveMoved && !travels ? views.above.pose : null,
    },
  });
  if (search !== location.search) history.replaceState(null, '', search || location.pathname);
}

exposeProbe({ loaded: () => loaded, measurements, selection, frames, player, views });
paint();
openNamed(settings.world);
views.stage.renderer.setAnimationLoop(frame);
