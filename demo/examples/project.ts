import { devDependencies, version } from '../../package.json';
import tokens from '../style/tokens.css?raw';
import type { Example } from './catalogue.js';
import css from './example.css?raw';

const SOURCES = import.meta.glob<string>('./*/*.{html,ts,tsx}', { query: '?raw', import: 'default' });

/** The texts of the files of an example, by their names. */
export async function filesOf(name: string): Promise<Record<string, string>> {
  const folder = `./${name}/`;
  const paths = Object.keys(SOURCES).filter((path) => path.startsWith(folder));
  const texts = await Promise.all(paths.map((path) => SOURCES[path]!()));
  return Object.fromEntries(paths.map((path, i) => [path.slice(folder.length), texts[i]!]));
}

const VERSIONS = { ...devDependencies, 'three-scene-index': `^${version}` };
type Package = keyof typeof VERSIONS;
const EVERYWHERE: Package[] = ['three', 'three-scene-index', '@types/three', 'typescript', 'vite'];
const WITH_REACT: Package[] = ['react', 'react-dom', '@react-three/fiber', '@types/react', '@types/react-dom'];

const TSCONFIG = {
  compilerOptions: { target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', jsx: 'react-jsx', strict: true },
};

/** The fields of a form of which StackBlitz makes a project: an example, its style, and packages in the versions used here. */
export function projectOf(example: Example, files: Record<string, string>): Record<string, string> {
  const { 'index.html': page, ...code } = files;
  const packages = 'main.tsx' in code ? [...EVERYWHERE, ...WITH_REACT] : EVERYWHERE;
  const manifest = {
    name: `three-scene-index-${example.name}`,
    private: true,
    type: 'module',
    scripts: { dev: 'vite' },
    stackblitz: { startCommand: 'npm run dev' },
    dependencies: Object.fromEntries(packages.map((name) => [name, VERSIONS[name]])),
  };
  const project = {
    ...code,
    // Without the bar of this site, and beside its style.
    'index.html': page!.replace(/ *<script[^>]*page\.ts"><\/script>\n/, '').replace('../example.css', './example.css'),
    'example.css': css.replace('../style/tokens.css', './tokens.css'),
    'tokens.css': tokens,
    'tsconfig.json': JSON.stringify(TSCONFIG, null, 2),
    'package.json': JSON.stringify(manifest, null, 2),
  };
  return {
    'project[title]': `${example.title} – three-scene-index`,
    'project[description]': example.text,
    'project[template]': 'node',
    ...Object.fromEntries(Object.entries(project).map(([name, text]) => [`project[files][${name}]`, text])),
  };
}
