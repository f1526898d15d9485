import type { Item } from 'three/addons/inspector/ui/Item.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { type SceneSurvey, survey } from '../survey/survey.js';
import { toMarkdown } from '../survey/toMarkdown.js';
import { button, framed, inBytes, inCount, Readings, statusLine, wide } from './widgets.js';

/** Results are shown for so many times as long as they took. */
const PAUSE = 20;

const COUNTS = ['objects', 'triangles', 'materials', 'geometries', 'textures'] as const;
const BYTES = ['geometries', 'textures', 'batches', 'index'] as const;

const COUNT_LABELS = ['Drawable objects', 'Triangles', 'Materials', 'Geometries', 'Textures'];
const BYTE_LABELS = ['Memory of geometries', 'Memory of textures', 'Added by batches', 'Added by the index'];

/** What the scene consists of, and a button that copies all of the report. */
export class SurveySection {
  readonly item: Item;
  readonly #index: SceneIndex;
  readonly #readings = new Readings('Scene');
  readonly #status = statusLine();
  #next = 0;

  constructor(index: SceneIndex) {
    this.#index = index;
    this.item = this.#readings.item;
    this.#readings.add([...COUNT_LABELS, ...BYTE_LABELS]);
    this.item.add(wide(framed(button('Copy report as Markdown', () => void this.#copy()))));
    this.item.add(wide(this.#status));
  }

  /** Counts again, less often where that takes long; null where it is too early. */
  show(): SceneSurvey | null {
    const start = performance.now();
    if (start < this.#next) return null;
    const now = survey(this.#index);
    this.#next = start + PAUSE * (performance.now() - start);
    for (const [i, name] of COUNTS.entries()) this.#readings.set(COUNT_LABELS[i], inCount(now[name]));
    for (const [i, name] of BYTES.entries()) this.#readings.set(BYTE_LABELS[i], inBytes(now.memory[name]));
    return now;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(toMarkdown(survey(this.#index), undefined, this.#index.root.name || 'Scene'));
      this.#status.textContent = 'Copied.';
    } catch {
      this.#status.textContent = 'The browser did not allow it to be copied.';
    }
  }
}
