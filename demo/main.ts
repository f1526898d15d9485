import { createIndex } from '../src/index.js';
import { Player } from './control/Player.js';
import { Pointer } from './control/Pointer.js';
import { Frames } from './Frames.js';
import { Culling } from './measure/Culling.js';
import { Measurements } from './measure/Measurements.js';
import { Opened } from './Opened.js';
import { Opener } from './Opener.js';
import { exposeProbe } from './probe.js';

import { Selection } from './Selection.js';
import { INDEX_OPTIONS } from './state/indexControls.js';
import { indexOptions, settingsOfWorld } from './state/Settings.js';
import { Store } from './state/Store.js';
import { applyTheme, onSystemTheme } from './state/theme.js';
import { readFixed, readUrl, writeUrl } from './state/url.js';
import { bindBar } from './ui/bindBar.js';
import { bindKeys } from './ui/bindKeys.js';
import { byId } from './ui/element.js';
import { Guide } from './ui/Guide.js';
import { Hud } from './ui/Hud.js';
import { listenForDrops } from './ui/listenForDrops.js';
import { Notice } from './ui/Notice.js';
import { Panel } from './ui/Panel.js';
import { PickCard } from './ui/PickCard.js';
import { placeExhibit } from './ui/placeExhibit.js';
import { Views } from './views/Views.js';
import { CATALOGUE, type WorldName } from './worlds/catalogue.js';
import type { World } from './worlds/World.js';

const CREDIT =
  'City data: GeoNames, CC BY 4.0. Orbits of 22 February 2022: Space-Track.org, by way of three-globe, propagated with satellite.js.';

// Settings, from the address of the page.
const fixed = readFixed(location.search);
const first = readUrl(location.search);
if (matchMedia('(prefers-reduced-motion: reduce)').matches) first.settings.autopilot = false;
const store = new Store();
const { settings } = store;
store.set(first.settings);
Object.assign(store.own[settings.world], first.own);

// The page.
const frames = new Frames(fixed);
const notice = new Notice(byId('notice'));
const hud = new Hud(byId('hud'));
const guide = new Guide(byId<HTMLDialogElement>('guide'), CREDIT);
const fileInput = byId<HTMLInputElement>('files');
const panes = { player: byId('player'), above: byId('above') };
const views = new Views(byId<HTMLCanvasElement>('canvas'), panes, fixed, (lost) => {
  if (lost) notice.show('The graphics context was lost. Waiting for it to come back…');
  else notice.clear();
  frames.ask();
});
const player = new Player(panes.player, () => store.set({ autopilot: false }));

// What is measured and what is picked.
const seen = new Measurements();
const culling = new Culling(seen);
const card = new PickCard(byId('card'), remove, clear);
const selection = new Selection(culling.sight, card, byId('tip'));
const pointer = new Pointer(Object.values(panes), (at, add) => {
  if (add || settings.adding) selection.add(at, views.cameraOf(at.pane));
  else selection.pick(at, views.cameraOf(at.pane));
});

bindBar(store, { openFile: () => fileInput.click(), help: () => guide.toggle() });
bindKeys(store, { guide, remove, clear });
const panel = new Panel(byId('panel'), store, () => fileInput.click());
listenForDrops(byId('drop'), openFiles);
fileInput.addEventListener('change', () => {
  openFiles([...(fileInput.files ?? [])]);
  // The same file once more is a change, too.
  fileInput.value = '';
});

// Every setting is live.
let opened: Opened | null = null;
store.on(['world'], () => {
  if (settings.world !== opened?.name) openNamed(settings.world);
});
store.on(['structure', ...INDEX_OPTIONS], () => {
  opened?.index.setIndex(createIndex(settings.structure, indexOptions(settings)));
  opened?.showNodes(settings);
  forgetTimes();
});
store.on(['nodes', 'bounds', 'minLevel', 'maxLevel'], () => opened?.showNodes(settings));
store.on(['fov', 'far', 'classColours', 'theme'], paint);
store.on(['autopilot'], () => {
  if (settings.autopilot) player.resume();
});
store.on(['adding'], () => {
  byId('stage').dataset.tool = settings.adding ? 'add' : 'look';
});
store.on(null, frames.ask);
onSystemTheme(paint);

const opener = new Opener(notice, show, () => {
  if (opened) store.set({ world: opened.name });
  frames.ask();
});

function openNamed(name: WorldName): void {
  const { load } = CATALOGUE[name];
  if (load) void opener.open(name, (told) => load(store.own[name], told));
}

function openFiles(files: File[]): void {
  if (files.length > 0) {
    void opener.open('model', async (_, signal) => (await import('./worlds/dropped.js')).droppedWorld(files, signal));
  }
}

function show(name: WorldName, world: World): void {
  const isFirst = opened === null;
  selection.open(null);
  culling.forget();
  opened?.dispose();
  opened = null;
  store.set(isFirst ? { world: name } : { ...settingsOfWorld(name), world: name });
  world.step?.(fixed.time ?? 0);
  const now = new Opened(name, world, settings);
  opened = now;
  // First, as the shape of the panes matters for what follows.
  placeExhibit(world.exhibit ?? null);
  player.open(world, fixed.time ?? 0);
  if (isFirst && first.poses.player) player.lookFrom(first.poses.player);
  views.open(now, settings, player.position);
  if (isFirst && first.poses.above) views.lookFromAbove(first.poses.above);
  selection.open(now);
  if (world.exhibit) world.exhibit.changed = () => store.announce([]);
  panel.open(name, world.exhibit ?? null, (control) => {
    world.changed?.(control);
    frames.ask();
  });
  const credit = byId('credit');
  credit.textContent = world.credit;
  credit.hidden = !world.credit;
  byId<HTMLButtonElement>('add').disabled = !world.place;
  forgetTimes();
  frames.ask();
}

function forgetTimes(): void {
  seen.reset();
  hud.clear();
}

function paint(): void {
  applyTheme(settings.theme);
  views.apply(settings);
  frames.ask();
}

function remove(): void {
  selection.remove();
  frames.ask();
}

function clear(): void {
  // Without the first world there is nothing to go back to.
  if (opened) opener.cancel();
  selection.clear();
  store.set({ adding: false });
  frames.ask();
}

for (const type of ['pointermove', 'pointerdown', 'pointerup', 'keydown', 'keyup', 'wheel', 'resize', 'click']) {
  addEventListener(type, frames.ask, { passive: true });
}

const isTimeForHud = frames.every(160);
const isTimeForUrl = frames.every(500);

function frame(now: number): void {
  const passed = frames.tick(now);
  if (passed > 0) {
    // What an exhibit measures is not to change what is drawn.
    if (!opened?.world.exhibit || opened.world.exhibit.camera) views.stage.pace(passed);
    seen.frame.add(passed);
  }
  if (!opened || document.hidden || !views.stage.fit() || !frames.take()) return;
  const { world, index } = opened;

  // Time passes, unless it stands still.
  const held = Frames.seconds(passed);
  const flown = frames.flows && !settings.paused ? held : 0;
  world.step?.(flown);
  if (world.exhibit) {
    const { camera } = world.exhibit;
    if (camera) {
      player.move(settings.autopilot, held, flown);
      player.see(camera);
    }
    if (world.exhibit.frame(views.stage, settings, passed, isTimeForHud(now))) frames.ask();
    frames.drawn();
    if (isTimeForUrl(now)) rememberInUrl();
    return;
  }
  player.move(settings.autopilot, held, flown);
  player.see(views.player.camera);
  views.above.follow(player.position);
  if (!views.aim()) return;

  // The index follows, and tells what is to be seen.
  seen.update.time(() => index.update());
  culling.run(index, views.player.camera, settings.mode);
  world.ask?.(index, culling.sight, player);
  const { hover } = pointer;
  selection.hover(hover, views.cameraOf(hover?.pane ?? panes.player));
  opened.updateNodes();

  seen.drawCalls = views.draw(culling.sight, selection.boxOf);
  frames.drawn();
  if (isTimeForHud(now)) {
    hud.show(seen, opened.facts, settings.mode, world.report?.() ?? null);
    selection.refresh();
  }
  if (isTimeForUrl(now)) rememberInUrl();
}

function rememberInUrl(): void {
  // A view that travels with the autopilot has no place of its own.
  const travels = settings.autopilot && opened?.world.follow;
  const search = writeUrl(location.search, {
    settings,
    own: store.own[settings.world],
    poses: {
      player: settings.autopilot ? null : player.pose,
      above: views.aboveMoved && !travels ? views.above.pose : null,
    },
  });
  if (search !== location.search) history.replaceState(null, '', search || location.pathname);
}

exposeProbe({ opened: () => opened, seen, selection, frames, player });
paint();
openNamed(settings.world);
views.stage.renderer.setAnimationLoop(frame);
