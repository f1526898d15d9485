// @ts-check
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

// One software renderer everywhere, so that pixels agree between machines; and no name but localhost resolves.
const ARGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/**
 * Launch options for Playwright: `chromium.launch(findChrome())`. `CHROME_PATH` wins; then comes the Chromium of
 * npm, before one of the system, so that every Linux machine draws the same pixels.
 *
 * @returns {{ executablePath: string, args: string[], env: Record<string, string | undefined> }}
 */
export function findChrome() {
  const named = process.env.CHROME_PATH;
  if (named && !isExecutable(named)) throw new Error(`CHROME_PATH is not an executable file: ${named}`);

  const dir = named ? null : embedded();
  const executablePath = named || (dir && join(dir, 'chromium')) || system() || playwrights();
  if (!executablePath) {
    throw new Error(
      'No Chromium found: set CHROME_PATH, or run "npx playwright install --with-deps chromium" to download one.',
    );
  }
  // The embedded browser brings its own libraries and fonts: a bare machine has neither.
  const own = dir && { LD_LIBRARY_PATH: join(dir, 'lib'), FONTCONFIG_FILE: join(dir, 'fonts.conf') };
  return { executablePath, args: ARGS, env: { ...process.env, ...own } };
}

/** The folder of the Chromium packed in @sparticuz/chromium, unpacked at the first call. */
function embedded() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let packed;
  try {
    packed = dirname(dirname(dirname(require.resolve('@sparticuz/chromium'))));
  } catch {
    return null;
  }
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const dir = join(root, 'node_modules/.cache', `chromium-${version}`);
  if (existsSync(dir)) return dir;

  // Unpack aside and rename: another process may be at the same work, and a half-written browser must not be found.
  mkdirSync(dirname(dir), { recursive: true });
  const aside = mkdtempSync(`${dir}.`);
  try {
    const read = (/** @type {string} */ name) => brotliDecompressSync(readFileSync(join(packed, 'bin', name)));
    for (const name of ['swiftshader.tar.br', 'al2023.tar.br', 'fonts.tar.br'])
      execFileSync('tar', ['-xf', '-', '-C', aside], { input: read(name) });
    writeFileSync(
      join(aside, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${dir}/fonts</dir><cachedir>${dir}/fontcache</cachedir></fontconfig>`,
    );
    writeFileSync(join(aside, 'chromium'), read('chromium.br'));
    chmodSync(join(aside, 'chromium'), 0o755);
    renameSync(aside, dir);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(dir)) throw error;
  }
  return dir;
}

function system() {
  const { env, platform } = process;
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`).find(isExecutable);
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((folder) => !!folder);
    const apps = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return apps.flatMap((app) => folders.map((folder) => join(String(folder), app))).find(isExecutable);
  }
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function playwrights() {
  const path = require('playwright').chromium.executablePath();
  return isExecutable(path) ? path : null;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
