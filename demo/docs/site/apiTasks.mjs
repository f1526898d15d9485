// Tasks of people, and the exports that do them: the first page of the API and its sidebar go by this list. Each
// export that people call or make stands in one group. Types are linked from the pages of what takes and returns them.

export const TASKS = [
  {
    title: 'Draw faster',
    text: 'One call makes three.js skip what is out of view and draw similar meshes together.',
    names: ['accelerate', 'AcceleratedScene', 'cullOutlines'],
  },
  {
    title: 'Pick and query',
    text: 'The index answers what a ray hits (`raycast`, `raycastFirst`), what a camera sees (`cull`), and what lies near a point (`nearest`) or in a region (`queryBox` and others). Functions ask the rarer questions.',
    names: ['SceneIndex', 'queryScreen', 'classify', 'sweep', 'Capsule', 'OrientedBox', 'Sector', 'Shape'],
  },
  {
    title: 'Follow what happens',
    text: 'Know when objects come into view, leave it, or begin to touch each other.',
    names: ['VisibilityTracker', 'PairTracker', 'findPairs', 'findPairsBetween'],
  },
  {
    title: 'Find out why and how fast',
    text: 'See the index in the scene, count it, and learn why an object is missing or drawn alone.',
    names: ['explain', 'report', 'SceneIndexHelper', 'OcclusionHelper', 'SceneIndexTab', 'stats', 'forEachNode'],
  },
  {
    title: 'Instances',
    text: 'Query the instances of one InstancedMesh or BatchedMesh, and draw them by levels of detail.',
    names: ['InstanceIndex'],
  },
  {
    title: 'React Three Fiber',
    text: 'Components that accelerate a canvas, and hooks that ask its index.',
    names: ['Accelerated', 'useSceneIndex', 'useVisible', 'useNearest', 'touch'],
  },
  {
    title: 'Choose a structure',
    text: 'The default suits most scenes. Others are better for some, and an index takes any of them.',
    names: [
      'Packed',
      'Octree',
      'Quadtree',
      'LooseOctree',
      'Bvh',
      'Grid',
      'BruteForce',
      'createIndex',
      'maintain',
      'STRUCTURES',
    ],
  },
  {
    title: 'Servers and workers',
    text: 'Decide who sees whom in a multiplayer game. No three.js needed.',
    names: ['Interest', 'Observer'],
  },
  {
    title: 'Boxes without a scene',
    text: 'The index itself: boxes with ids, and lists that queries fill without allocating. No three.js needed.',
    names: ['SpatialIndex', 'IdList', 'Hits', 'IdPairs', 'enableSimd'],
  },
];
