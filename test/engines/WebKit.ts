import { type Engine, OwnProcess } from './Engine.js';

const PORT = 4723;
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** WebKitGTK, driven over WebDriver. */
export class WebKit implements Engine {
  readonly #process = new OwnProcess();
  #session: string | null = null;

  async open(url: string): Promise<void> {
    if (this.#session === null) {
      await this.#process.start('sh', ['-c', `echo ready; exec WebKitWebDriver --port=${PORT}`], /ready/);
      const options = { binary: process.env.WEBKIT ?? MINI_BROWSER, args: ['--automation'] };
      const capabilities = { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options } };
      this.#session = ((await this.#post('session', { capabilities })) as { sessionId: string }).sessionId;
    }
    await this.#post(`session/${this.#session}/url`, { url });
  }

  async close(): Promise<void> {
    if (this.#session !== null) await fetch(`http://127.0.0.1:${PORT}/session/${this.#session}`, { method: 'DELETE' });
    await this.#process.end();
  }

  async #post(path: string, body: object, attempts = 50): Promise<unknown> {
    try {
      const response = await fetch(`http://127.0.0.1:${PORT}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const { value } = (await response.json()) as { value: { error?: string; message?: string } };
      if (response.ok) return value;
      throw new Error(`WebKit: ${path}: ${value.error}, ${value.message}`);
    } catch (error) {
      // The driver takes a moment until it listens.
      if (!(error instanceof TypeError) || attempts === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return this.#post(path, body, attempts - 1);
    }
  }
}
