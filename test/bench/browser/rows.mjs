/**
 * What is measured: a function of the page and its arguments, beside the scenes that it wants, if any: how many meshes, how
 * they lie below each other, whether they are declared static. `limit` is the ratio that is promised; `over` the milliseconds
 * that it may last longer.
 */
const row = (label, what, args, more) => ({ label, what, args, limit: null, ...more });

/** In the column of three stands what the label says. */
const KINDS = { arrangement: 'kinds', batch: true, isStatic: true };
const BATCH = '`batch: true`';

const big = (n, share, limit, isDrawn, more = {}) =>
  row(
    `${isDrawn ? 'whole frame' : 'finding what to draw'}, all static, ${100 * share} % seen${more.label ?? ''}`,
    'frames',
    [share, 0, isDrawn, true],
    { count: n, isStatic: true, limit, arrangement: more.arrangement },
  );
const moving = (n, limit, isDrawn) =>
  row(
    `${isDrawn ? 'whole frame' : 'finding what to draw'}, none static, 1 % seen, 1 % moving`,
    'frames',
    [0.01, 0.01, isDrawn, true],
    { count: n, isStatic: false, limit },
  );
const small = (count) =>
  row(`whole frame of ${count.toLocaleString('en')} meshes, none static, all seen`, 'frames', [1, 0, true, true], {
    count,
    isStatic: true,
    ...(count < 1000 ? { over: 0.1 } : { limit: 1.2 }),
  });
const pick = (n, what, by, limit) => row(`\`${what}\``, 'picks', [by], { count: n, isStatic: false, limit });
const batched = (label, share, limit, moves = 0, hasShadows = false, isStatic = moves === 0) =>
  row(`${BATCH}, whole frame, 24,000 meshes, ${label}`, 'frames', [share, moves, true, hasShadows], {
    ...KINDS,
    count: 24_000,
    isStatic,
    limit,
  });
const panes = (label, kinds, limit) =>
  row(`${BATCH}, whole frame, 5,000 transparent meshes, ${label}, all seen by a camera that turns`, 'panes', [kinds], {
    ...KINDS,
    count: 5000,
    limit,
  });
const edits = (label, share) =>
  row(`${BATCH}, 100 meshes, and one of 100,000 vertices ${label} in each frame`, 'edits', [share], {
    ...KINDS,
    count: 100,
    isStatic: false,
    limit: 1.1,
  });
const outlines = (label, isStatic, batch) =>
  row(`outline of one of 20,000 meshes, all seen, ${label}`, 'outlines', [], {
    ...KINDS,
    count: 20_000,
    batch,
    isStatic,
    limit: 0.1,
  });
const casters = (label, batch, limit) =>
  row(
    `\`cullCasters\`, 24,000 meshes below one large shadow, a tenth seen, against accelerated without${label}`,
    'casters',
    [24_000, batch],
    { limit },
  );
const twice = (label, which, isMoving) =>
  row(
    `${BATCH}, 10,000 boxes, ${label}, against one with its own geometry, ${isMoving ? 'all moving' : 'at rest'}`,
    'twice',
    [which, isMoving],
    { limit: isMoving ? 1.05 : 1.02 },
  );
const hidden = (label, batch, counts, limit) =>
  row(
    `occlusion in a street of 50,000 meshes at rest, against accelerated without: ${label}`,
    'hidden',
    [batch, counts],
    { unit: counts ? 'thousand' : undefined, limit },
  );
/** In new pages, as those of loading. */
const longest = (count, vertices, label, over) =>
  row(
    `${BATCH}, ${count} ${label} meshes: the longest of the first pictures, beside a usual one of three`,
    'longest',
    [count, vertices],
    { isFresh: true, over },
  );
const loading = (rival, label, limit = null) =>
  row(`\`accelerate\` of 100,000 meshes in 2,000 groups, beside ${label}`, 'loading', [100_000, rival], {
    isFresh: true,
    limit,
  });
const events = (label, handlers, limit = null) =>
  row(`a pointer's move in React Three Fiber, 10,000 meshes, ${label}`, 'pointerMoves', [10_000, handlers], { limit });

const LIMITS = { 0.01: 0.05, 0.1: 0.25, 0.5: 0.9, 1: 0.8 };
const SHARES = Object.keys(LIMITS).map(Number).sort();
const below = (n, label, arrangement) => big(n, 0.1, null, false, { label: `, ${label}`, arrangement });

export const ROWS = (n) => [
  ...SHARES.map((share) => big(n, share, LIMITS[share], false)),
  moving(n, 1 / 3, false),
  ...SHARES.map((share) => big(n, share, null, true)),
  moving(n, null, true),
  pick(n, 'raycaster.intersectObject(scene)', 'scene', 1 / 500),
  pick(n, 'raycaster.intersectObjects(scene.children)', 'children', 1 / 8),
  pick(n, 'raycaster.intersectObjects(meshes)', 'list', 1 / 4),
  below(n, 'trees of ten meshes', 'trees'),
  below(n, 'chains of ten meshes', 'chains'),
  below(n, 'all below one mesh in view', 'ground'),
  batched('6 % seen', 0.06, 1 / 25),
  batched('all seen', 1, 1 / 15),
  batched('6 % seen, 10 % moving', 0.06, 0.35, 0.1),
  batched('6 % seen, 10 % moving, all others static', 0.06, 1 / 4, 0.1, false, 'others'),
  batched('6 % seen, with shadows', 0.06, 1 / 15, 0, true),
  row(`${BATCH}, 2,000 meshes, a picture with other materials and one with their own`, 'swaps', [], {
    ...KINDS,
    count: 2000,
    isStatic: false,
    limit: 1.1,
  }),
  panes('of one kind', 1, 1 / 3),
  panes('of two kinds', 2, 1.1),
  edits('edited', 1),
  edits('edited in part', 0.1),
  outlines('all static', true, true),
  outlines('none static', false, true),
  outlines('none static, without batches', false, false),
  casters('', false, 1 / 2),
  casters(`, ${BATCH}`, true, null),
  ...['one drawn once more', 'half of them with other shadow flags'].flatMap((label, i) =>
    [false, true].map((isMoving) => twice(label, ['overlay', 'flags'][i], isMoving)),
  ),
  hidden('whole frame', false, false, 1 / 8),
  hidden(`whole frame, ${BATCH}`, true, false, 1 / 2),
  hidden(`triangles sent, ${BATCH}`, true, true, 1 / 8),
  longest(2000, 0, 'small', 8),
  longest(200, 14_500, 'large (14,500 vertices, 20 geometries)', 10),
  loading('pass', "three's first matrix pass"),
  loading('ObjectBVH', '`ObjectBVH` of three-mesh-bvh', 1.3),
  events('handlers at each', 'each', 1 / 20),
  events('a handler at the group around them', 'group'),
  ...[10, 40, 100, 300, 1000].map(small),
];
