import { element } from './parts/element.js';

/** A model that the page brings along. */
export interface Sample {
  title: string;
  about: string;
  open: () => void;
}

/** Asks for a model: a file, or one of the samples. */
export class ModelDialog {
  readonly #dialog: HTMLDialogElement;

  constructor(chooseFile: () => void, samples: readonly Sample[]) {
    const close = element('button', { type: 'button' }, 'Cancel');
    const file = element('button', { type: 'button', 'data-act': 'file' }, 'Choose a file…');
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
      element('p', {}, 'Nothing leaves this page: the file is read and measured in your browser.'),
      element('div', { class: 'actions' }, file, close),
      element('h3', {}, 'No model at hand?'),
      element('ul', {}, ...samples.map((sample) => element('li', {}, this.#buttonOf(sample), sample.about))),
    );
    close.addEventListener('click', () => this.#dialog.close());
    file.addEventListener('click', chooseFile);
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
