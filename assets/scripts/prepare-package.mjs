// What npm runs around packing: `node assets/scripts/prepare-package.mjs` before, with `--restore` after. Where the address
// of the repository is known, from `repository` in package.json or the variable REPOSITORY, the package gets `homepage` and
// `bugs`, and its README links and pictures that work anywhere. Without one it says what is missing.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, 'node_modules/.cache/package');
const CHANGED = ['package.json', 'README.md'];

const HOSTS = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' };

/**
 * The address of a repository on the web, without a slash at its end; null for none.
 * @param {string | { url?: string } | undefined} repository As in package.json.
 */
export function addressOf(repository) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (!url) return null;
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(url);
  if (short) return `https://${HOSTS[short[1] ?? 'github']}/${short[2]}`;
  const parts = /^(?:git\+)?(?:(?:https?|git|ssh):\/\/)?(?:[^@/]+@)?([\w.-]+(?::\d+)?)[:/](.+?)(?:\.git)?\/?$/.exec(
    url,
  );
  if (!parts) throw new Error(`prepack: "${url}" is not the address of a repository`);
  return `https://${parts[1]}/${parts[2]}`;
}

/** package.json with all its addresses. */
export function withAddresses(pkg, address) {
  return {
    ...pkg,
    repository: { type: 'git', url: `git+${address}.git` },
    homepage: pkg.homepage ?? `${address}#readme`,
    bugs: pkg.bugs ?? { url: `${address}/issues` },
  };
}

/** Code stays as it is: in fences, and in spans within a line. */
const CODE = /(^```[\s\S]*?^```$|`[^`\n]+`)/m;

/** A README whose relative links and pictures lead to a commit, branch or tag of a repository. */
export function withAbsoluteLinks(text, address, ref) {
  const turn = (path, kind) => {
    if (/^([a-z]+:|#|\/\/)/i.test(path)) return path;
    return `${address}/${kind}/${ref}/${path.replace(/^\.\//, '')}`;
  };
  // Pictures first: one can be the label of a link.
  const absolute = (prose) =>
    prose
      .replace(/(!\[[^\]]*\]\()([^)\s]+)/g, (_, before, path) => before + turn(path, 'raw'))
      .replace(/(\]\(|^\[[^\]]+\]: *)([^)\s]+)/gm, (_, before, path) => before + turn(path, 'blob'))
      .replace(/\b(src|srcset)="([^"]+)"/g, (_, name, path) => `${name}="${turn(path, 'raw')}"`)
      .replace(/\bhref="([^"]+)"/g, (_, path) => `href="${turn(path, 'blob')}"`);
  // Code that was split off has odd places.
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? absolute(part) : part))
    .join('');
}

function prepare() {
  const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const address = addressOf(process.env.REPOSITORY ?? pkg.repository);
  if (address === null) {
    console.warn(
      'prepack: the address of the repository is not known, so the package has no repository, homepage and bugs, and the links and pictures of its README are relative. Set "repository" in package.json, or REPOSITORY=https://… .',
    );
    return;
  }
  mkdirSync(kept, { recursive: true });
  for (const name of CHANGED) cpSync(join(root, name), join(kept, name));
  writeFileSync(join(root, 'package.json'), `${JSON.stringify(withAddresses(pkg, address), null, 2)}\n`);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  writeFileSync(join(root, 'README.md'), withAbsoluteLinks(readme, address, `v${pkg.version}`));
}

function restore() {
  for (const name of CHANGED) if (existsSync(join(kept, name))) cpSync(join(kept, name), join(root, name));
  rmSync(kept, { recursive: true, force: true });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--restore')) restore();
  else prepare();
}
