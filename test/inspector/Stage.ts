import * as THREE from 'three';
import { Inspector } from 'three/addons/inspector/Inspector.js';
import { WebGPURenderer } from 'three/webgpu';
import { type AcceleratedScene, accelerate } from 'three-scene-index';
import { SceneIndexTab } from 'three-scene-index/inspector';
import { vi } from 'vitest';
import { random } from '../helpers/random.js';

const SIZE = 120;

/** A page with a scene of boxes, drawn by WebGPURenderer's WebGL backend, and three's Inspector with the tab, open. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 1, 60);
  readonly meshes: THREE.Mesh[] = [];
  readonly renderer: WebGPURenderer;
  readonly inspector = new Inspector();
  readonly index: AcceleratedScene;
  readonly tab: SceneIndexTab;
  #skew = 0;

  static async make(): Promise<Stage> {
    const stage = new Stage();
    await stage.renderer.init();
    stage.renderer.setAnimationLoop(() => stage.renderer.render(stage.scene, stage.camera));
    await stage.frames(3);
    return stage;
  }

  private constructor() {
    localStorage.clear();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + this.#skew);
    const next = random(5);
    const box = new THREE.BoxGeometry();
    const materials = ['#c84', '#48c', '#4c8'].map((color) => new THREE.MeshLambertMaterial({ color }));
    for (let i = 0; i < 160; i++) {
      const mesh = new THREE.Mesh(box, materials[i % 3]);
      mesh.name = `box ${i}`;
      mesh.position.set(next() * 44 - 22, next() * 44 - 22, next() * 44 - 22);
      this.meshes.push(mesh);
    }
    this.scene.background = new THREE.Color(0x334455);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 2), ...this.meshes);
    this.camera.position.set(0, 0, 30);
    this.renderer = new WebGPURenderer({ antialias: false, forceWebGL: true });
    this.renderer.setSize(SIZE, SIZE);
    const place = document.createElement('div');
    place.append(this.renderer.domElement);
    document.body.append(place);
    this.index = accelerate(this.scene, { batch: { atLeast: 4 } });
    this.renderer.inspector = this.inspector;
    this.tab = new SceneIndexTab(this.index, this.camera);
    this.inspector.addTab(this.tab).setActiveTab(this.tab);
    this.show(true);
  }

  /** Opens the panel, or closes it. */
  show(isOpen: boolean): void {
    const [panel, toggle] = ['.profiler-panel', '.profiler-toggle'].map((name) =>
      this.inspector.domElement.querySelector<HTMLElement>(name),
    );
    if (panel?.classList.contains('visible') !== isOpen) toggle?.click();
  }

  /** Lets frames pass, each long enough for a sample, however long the last one took. */
  async frames(count: number): Promise<void> {
    for (let frame = 0; frame < count; frame++) {
      this.#skew += 60_000;
      await new Promise(requestAnimationFrame);
    }
    // The last one has ended when the next begins.
    await new Promise(requestAnimationFrame);
  }

  /** Lets frames pass until meshes are drawn in batches, whose code is loaded at need. */
  async untilBatched(): Promise<void> {
    while (Number(this.text('Draw calls')) > 20) await this.frames(1);
    await this.frames(3);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** What the tab shows behind a name. */
  text(name: string): string {
    const label = [...this.content.querySelectorAll('span')].find(({ textContent }) => textContent === name);
    if (label === undefined) throw new Error(`The tab has no ${name}`);
    return label.nextElementSibling?.textContent ?? '';
  }

  /** The panel's content, as the page has it. */
  get content(): HTMLElement {
    return this.inspector.domElement.querySelector('.scene-index-content') as HTMLElement;
  }

  /** Presses the pointer some pixels left of the middle of an object, and lifts it there; true if nobody objects. */
  click(object: THREE.Object3D, drag = 0): boolean {
    const { x, y } = object.getWorldPosition(new THREE.Vector3()).project(this.camera);
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const [clientX, clientY] = [left + (width * (1 + x)) / 2, top + (height * (1 - y)) / 2];
    const press = { isPrimary: true, pointerId: 1, clientX, clientY, bubbles: true, cancelable: true };
    const isFree = this.canvas.dispatchEvent(new PointerEvent('pointerdown', { ...press, clientX: clientX - drag }));
    return this.canvas.dispatchEvent(new PointerEvent('pointerup', press)) && isFree;
  }

  dispose(): void {
    this.inspector.removeTab(this.tab);
    this.renderer.setAnimationLoop(null);
    this.index.dispose();
    this.renderer.dispose();
    this.canvas.parentElement?.remove();
    vi.restoreAllMocks();
  }
}
