// A plugin of typedoc: the entries of the package have the names by which they are imported.

const NAMES = {
  index: 'three-scene-index',
  standalone: 'three-scene-index/core',
  react: 'three-scene-index/react',
  inspector: 'three-scene-index/inspector',
};

/** Called by typedoc. */
export function load({ converter }) {
  converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) module.name = NAMES[module.name] ?? module.name;
  });
}
