/**
 * What is measured: how many meshes, how they lie below each other, whether they are declared static, by what, and the ratio
 * that is promised, or null.
 */
export const ROWS = (n) => {
  const frame = (share, limit, withDraws) => ({
    label: `${withDraws ? 'whole frame' : 'finding what to draw'}, all static, ${100 * share} % seen`,
    count: n,
    isStatic: true,
    what: 'frames',
    args: [share, 0, withDraws, true],
    limit,
  });
  const moving = (limit, withDraws) => ({
    label: `${withDraws ? 'whole frame' : 'finding what to draw'}, none static, 1 % seen, 1 % moving`,
    count: n,
    isStatic: false,
    what: 'frames',
    args: [0.01, 0.01, withDraws, true],
    limit,
  });
  const small = (count) => ({
    ...frame(1, count < 1000 ? null : 1.2, true),
    ...(count < 1000 ? { over: 0.1 } : {}),
    label: `whole frame of ${count.toLocaleString('en')} meshes, none static, all seen`,
    count,
  });
  const below = (label, arrangement, share) => ({
    ...frame(share, null, false),
    label: `finding what to draw, all static, ${100 * share} % seen, ${label}`,
    arrangement,
  });
  const pick = (label, by, limit) => ({
    label: `\`${label}\``,
    count: n,
    isStatic: false,
    what: 'picks',
    args: [by],
    limit,
  });
  const batched = (label, share, limit, moving = 0, hasShadows = false, isStatic = moving === 0) => ({
    label: `\`batch: true\`, whole frame, 24,000 meshes, ${label}`,
    count: 24_000,
    arrangement: 'kinds',
    batch: true,
    isStatic,
    what: 'frames',
    args: [share, moving, true, hasShadows],
    limit,
  });
  const panes = (label, kinds, limit) => ({
    label: `\`batch: true\`, whole frame, 5,000 transparent meshes, ${label}, all seen by a camera that turns`,
    count: 5000,
    arrangement: 'kinds',
    batch: true,
    isStatic: true,
    what: 'panes',
    args: [kinds],
    limit,
  });
  const edits = (label, share, limit) => ({
    label: `\`batch: true\`, 100 meshes, and one of 100,000 vertices ${label} in each frame`,
    count: 100,
    arrangement: 'kinds',
    batch: true,
    isStatic: false,
    what: 'edits',
    args: [share],
    limit,
  });
  /** Accelerated without occlusion stands in the column of three. `counts` has triangles counted instead of times. */
  const hidden = (label, batch, counts, limit) => ({
    label: `occlusion in a street of 50,000 meshes at rest, against accelerated without: ${label}`,
    hasWorld: false,
    what: 'hidden',
    args: [batch, counts],
    unit: counts ? 'thousand' : undefined,
    limit,
  });
  /** Accelerated without `cullCasters` stands in the column of three. */
  const casters = (label, batch, limit) => ({
    label: `\`cullCasters\`, 24,000 meshes below one large shadow, a tenth seen, against accelerated without${label}`,
    hasWorld: false,
    what: 'casters',
    args: [24_000, batch],
    limit,
  });
  /** What has geometries of its own stands in the column of three. */
  const twice = (label, which, isMoving) => ({
    label: `\`batch: true\`, 10,000 boxes, ${label}, against one with its own geometry, ${isMoving ? 'all moving' : 'at rest'}`,
    hasWorld: false,
    what: 'twice',
    args: [which, isMoving],
    limit: isMoving ? 1.05 : 1.02,
  });
  const outlines = (label, isStatic, batch) => ({
    label: `outline of one of 20,000 meshes, all seen, ${label}`,
    count: 20_000,
    arrangement: 'kinds',
    batch,
    isStatic,
    what: 'outlines',
    args: [],
    limit: 0.1,
  });
  /** Draw calls in place of times. */
  const joins = (count, story, label) => ({
    label: `\`batch: true\`, ${count} similar meshes, ${label}: draw calls of the third picture`,
    hasWorld: false,
    what: 'joins',
    args: [count, story],
    unit: 'calls',
    limit: 1 / count,
  });
  /** In new pages. `over` are the milliseconds that it may last longer than a picture of plain three. */
  const longest = (count, vertices, label, over) => ({
    label: `\`batch: true\`, ${count} ${label} meshes: the longest of the first pictures, beside a usual one of three`,
    hasWorld: false,
    isFresh: true,
    what: 'longest',
    args: [count, vertices],
    limit: null,
    over,
  });
  /** In new pages. What `accelerate` is compared with stands in the column of three. */
  const loading = (rival, label, limit) => ({
    label: `\`accelerate\` of 100,000 meshes in 2,000 groups, beside ${label}`,
    hasWorld: false,
    isFresh: true,
    what: 'loading',
    args: [100_000, rival],
    limit,
  });
  const events = (label, handlers, limit) => ({
    label: `a pointer's move in React Three Fiber, 10,000 meshes, ${label}`,
    count: 10_000,
    hasWorld: false,
    what: 'pointerMoves',
    args: [10_000, handlers],
    limit,
  });
  return [
    frame(0.01, 0.05, false),
    frame(0.1, 0.25, false),
    frame(0.5, 0.9, false),
    frame(1, 0.8, false),
    moving(1 / 3, false),
    frame(0.01, null, true),
    frame(0.1, null, true),
    frame(0.5, null, true),
    frame(1, null, true),
    moving(null, true),
    pick('raycaster.intersectObject(scene)', 'scene', 1 / 500),
    pick('raycaster.intersectObjects(scene.children)', 'children', 1 / 8),
    pick('raycaster.intersectObjects(meshes)', 'list', 1 / 4),
    below('trees of ten meshes', 'trees', 0.1),
    below('chains of ten meshes', 'chains', 0.1),
    below('all below one mesh in view', 'ground', 0.1),
    batched('6 % seen', 0.06, 1 / 25),
    batched('all seen', 1, 1 / 15),
    batched('6 % seen, 10 % moving', 0.06, 0.35, 0.1),
    batched('6 % seen, 10 % moving, all others static', 0.06, 1 / 4, 0.1, false, 'others'),
    batched('6 % seen, with shadows', 0.06, 1 / 15, 0, true),
    {
      ...batched('', 1, 1.1),
      label: '`batch: true`, 2,000 meshes, a picture with other materials and one with their own',
      count: 2000,
      isStatic: false,
      what: 'swaps',
      args: [],
    },
    panes('of one kind', 1, 1 / 3),
    panes('of two kinds', 2, 1.1),
    edits('edited', 1, 1.1),
    edits('edited in part', 0.1, 1.1),
    outlines('all static', true, true),
    outlines('none static', false, true),
    outlines('none static, without batches', false, false),
    casters('', false, 1 / 2),
    casters(', `batch: true`', true, null),
    twice('one drawn once more', 'overlay', false),
    twice('one drawn once more', 'overlay', true),
    twice('half of them with other shadow flags', 'flags', false),
    twice('half of them with other shadow flags', 'flags', true),
    hidden('whole frame', false, false, 1 / 8),
    hidden('whole frame, `batch: true`', true, false, 1 / 2),
    hidden('triangles sent, `batch: true`', true, true, 1 / 8),
    ...[20, 100, 300, 733, 2000].map((count) => joins(count, 'rest', 'at rest')),
    joins(733, 'moving', 'all moving'),
    joins(733, 'materials', 'a material each'),
    joins(733, 'highlight', '200 of them highlighted by another material'),
    {
      ...joins(733, 'on demand', ''),
      label:
        '`batch: true`, 733 similar meshes, a page that draws on demand: draw calls of its last picture, at most the fifth',
    },
    longest(2000, 0, 'small', 8),
    longest(200, 14_500, 'large (14,500 vertices, 20 geometries)', 10),
    loading('pass', "three's first matrix pass", null),
    loading('ObjectBVH', '`ObjectBVH` of three-mesh-bvh', 1.3),
    events('handlers at each', 'each', 1 / 20),
    events('a handler at the group around them', 'group', null),
    ...[10, 40, 100, 300, 1000].map(small),
  ];
};
