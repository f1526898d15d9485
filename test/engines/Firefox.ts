import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, OwnProcess } from './Engine.js';

/** A machine without a GPU draws as well, and no page asks for anything but the tests. */
const PREFERENCES = {
  'webgl.force-enabled': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'app.update.disabledForTesting': true,
  // Else a page that nobody looks at waits.
  'dom.min_background_timeout_value': 4,
};

/** Firefox, driven over WebDriver BiDi: https://w3c.github.io/webdriver-bidi */
export class Firefox implements Engine {
  readonly #process = new OwnProcess();
  #socket: WebSocket | null = null;
  #sent = 0;
  readonly #waiting = new Map<number, (answer: { error?: string; message?: string; result?: unknown }) => void>();

  async open(url: string): Promise<void> {
    await this.#start();
    const { context } = (await this.#send('browsingContext.create', { type: 'tab' })) as { context: string };
    await this.#send('browsingContext.navigate', { context, url, wait: 'none' });
  }

  async close(): Promise<void> {
    this.#socket?.close();
    await this.#process.end();
  }

  async #start(): Promise<void> {
    if (this.#socket !== null) return;
    const { folder } = this.#process;
    const lines = Object.entries(PREFERENCES).map((pair) => `user_pref(${pair.map((v) => JSON.stringify(v))});`);
    writeFileSync(join(folder, 'user.js'), lines.join('\n'));
    const args = ['--no-remote', '--profile', folder, '--remote-debugging-port', '0'];
    const command = process.env.FIREFOX ?? 'firefox-esr';
    const [, address] = await this.#process.start(command, args, /WebDriver BiDi listening on (ws:\S+)/);
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`Firefox does not answer at ${address}`));
    });
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    };
    this.#socket = socket;
    await this.#send('session.new', { capabilities: {} });
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#sent;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ error, message, result }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error}, ${message}`));
      });
      this.#socket?.send(JSON.stringify({ id, method, params }));
    });
  }
}
