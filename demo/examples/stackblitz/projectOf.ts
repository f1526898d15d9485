import { devDependencies, version } from '../../../package.json';
import tokens from '../../style/tokens.css?raw';
import type { Example } from '../catalogue.js';
import css from '../example.css?raw';

const VERSIONS: Record<string, string> = { ...devDependencies, 'three-scene-index': `^${version}` };
/** What brings its types in a package of its own. */
const TYPES: Record<string, string> = { three: '@types/three', react: '@types/react', 'react-dom': '@types/react-dom' };

/**
 * The fields of a form that makes StackBlitz a project: the files of the example, their style, and the packages that they
 * import in the versions that are used here.
 */
export function projectOf(example: Example, files: Record<string, string>): Record<string, string> {
  const project: Record<string, string> = {
    ...files,
    'index.html': standalone(files['index.html']!),
    'example.css': css.replace('../style/tokens.css', './tokens.css'),
    'tokens.css': tokens,
    'tsconfig.json': json(TSCONFIG),
    'package.json': json(manifestOf(example, Object.values(files))),
  };
  const fields = Object.entries(project).map(([name, text]) => [`project[files][${name}]`, text] as const);
  return {
    'project[title]': `${example.title} – three-scene-index`,
    'project[description]': example.text,
    'project[template]': 'node',
    ...Object.fromEntries(fields),
  };
}

/** The page without the bar of this site, and beside its style. */
function standalone(html: string): string {
  return html.replace(/ *<script[^>]*page\.ts"><\/script>\n/, '').replace('../example.css', './example.css');
}

function manifestOf({ name }: Example, sources: string[]): object {
  const imported = [...new Set(sources.flatMap(packagesIn))].sort();
  const types = imported.map((one) => TYPES[one]).filter((one) => one !== undefined);
  return {
    name: `three-scene-index-${name}`,
    private: true,
    type: 'module',
    scripts: { dev: 'vite' },
    stackblitz: { startCommand: 'npm run dev' },
    dependencies: versionsOf(imported),
    devDependencies: versionsOf([...types, 'typescript', 'vite']),
  };
}

/** The packages that a source imports: `three` for `three/addons/controls/OrbitControls.js`. */
function packagesIn(source: string): string[] {
  const names = [...source.matchAll(/^(?:import|} from|.* from) '([^'.][^']*)'/gm)].map(([, name]) => name!);
  return names.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}

function versionsOf(names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const found = VERSIONS[name];
      if (!found) throw new Error(`No version of ${name} in package.json`);
      return [name, found];
    }),
  );
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: ['vite/client'],
    skipLibCheck: true,
    strict: true,
    noEmit: true,
  },
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
