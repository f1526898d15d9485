import { element } from './parts/element.js';

/** A model that the page brings along. */
export interface Sample {
  title: string;
  about: string;
  open: () => void;
}

/** Asks for a model: files, a folder, or one of the samples. */
export class ModelDialog {
  readonly #dialog: HTMLDialogElement;

  constructor(choose: (isFolder: boolean) => void, samples: readonly Sample[]) {
    const close = element('button', { type: 'button' }, 'Cancel');
    const files = element('button', { type: 'button', 'data-act': 'file' }, 'Choose files…');
    const folder = element('button', { type: 'button' }, 'Choose a folder…');
    this.#dialog = element(
      'dialog',
      { class: 'model-dialog', id: 'modelDialog', 'aria-labelledby': 'modelDialogTitle' },
      element('h2', { id: 'modelDialogTitle' }, 'Measure your own model'),
      element(
        'p',
        {},
        'Drop a .glb anywhere on this page, or a .gltf with its files. In a few seconds you see what a frame of it costs ',
        'in plain three, with the index, in batches and with levels of detail, and what keeps objects out of batches.',
      ),
      element(
        'p',
        {},
        'Drop several models, or a folder, to measure a kit: its pieces are placed side by side, many times each.',
      ),
      element('p', {}, 'Nothing leaves this page: files are read and measured in your browser.'),
      element('div', { class: 'actions' }, files, folder, close),
      element('h3', {}, 'No model at hand?'),
      element('ul', {}, ...samples.map((sample) => element('li', {}, this.#buttonOf(sample), sample.about))),
    );
    close.addEventListener('click', () => this.#dialog.close());
    files.addEventListener('click', () => choose(false));
    folder.addEventListener('click', () => choose(true));
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    document.body.append(this.#dialog);
  }

  open(): void {
    this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }

  #buttonOf({ title, open }: Sample): HTMLButtonElement {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', open);
    return button;
  }
}
