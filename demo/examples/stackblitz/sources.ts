const SOURCES = import.meta.glob<string>(['../*/*.{html,ts,tsx}', '!../stackblitz/**'], {
  query: '?raw',
  import: 'default',
});

/** What an example is written in, by the names of its files: code first, the page last. */
export async function filesOf(name: string): Promise<Record<string, string>> {
  const folder = `../${name}/`;
  const paths = Object.keys(SOURCES).filter((path) => path.startsWith(folder));
  paths.sort((a, b) => rank(a) - rank(b));
  const texts = await Promise.all(paths.map((path) => SOURCES[path]!()));
  return Object.fromEntries(paths.map((path, i) => [path.slice(folder.length), texts[i]!]));
}

function rank(path: string): number {
  return path.includes('/main.') ? 0 : path.endsWith('.html') ? 2 : 1;
}
