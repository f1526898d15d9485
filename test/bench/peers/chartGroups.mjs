/** Workloads in the groups of a chart, and how each is named there. */
export const GROUPS = {
  Cull: {
    'cull 1 %': '1 % in view',
    'cull 10 %': '10 % in view',
    'cull 50 %': '50 % in view',
    'cull 100 %': 'all in view',
  },
  Query: {
    'ray nearest': 'first hit of a ray',
    'ray all': 'all hits of a ray',
    'small box': 'small box',
    'large box': 'large box',
    'small sphere': 'small sphere',
    'large sphere': 'large sphere',
    nearest: 'nearest to a point',
  },
  'Change, then cull': {
    'move 1 % + cull 10 %': '1 % move',
    'move 10 % + cull 10 %': '10 % move',
    'move 100 % + cull 10 %': 'all move',
    'teleport 1 % + cull 10 %': '1 % teleport',
    'replace 10 % + cull 10 %': '10 % replaced',
  },
  Build: { build: 'per box' },
};
