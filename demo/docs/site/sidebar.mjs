// All pages but the first, in the order in which they are read: the sidebar, llms.txt and the tests go by this list.

export const SIDEBAR = [
  {
    text: 'Start',
    items: [
      { text: 'In 60 seconds', link: '/getting-started' },
      { text: 'Is it for me?', link: '/comparison' },
      { text: 'Coming from…', link: '/migration' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'My scene is slow', link: '/guides/slow-scene' },
      { text: 'Options of accelerate', link: '/guides/accelerate' },
      { text: 'What to know', link: '/guides/rules' },
      { text: 'Culling', link: '/guides/culling' },
      { text: 'Picking', link: '/guides/picking' },
      { text: 'Batching', link: '/guides/batching' },
      { text: 'Levels of detail', link: '/guides/levels' },
      { text: 'Instances', link: '/guides/instances' },
      { text: 'Motion and static', link: '/guides/motion' },
      { text: 'Shadows', link: '/guides/shadows' },
      { text: 'Occlusion', link: '/guides/occlusion' },
      { text: 'glTF and useGLTF', link: '/guides/gltf' },
      { text: 'Buildings, CAD and BIM', link: '/guides/buildings' },
      { text: 'Several views', link: '/guides/views' },
      { text: 'Renderers and pipelines', link: '/guides/webgpu' },
      { text: 'Choosing a structure', link: '/guides/structures' },
      { text: 'Workers and servers', link: '/guides/workers' },
      { text: 'Game servers', link: '/guides/interest' },
      { text: 'Large worlds', link: '/guides/large-worlds' },
      { text: 'React Three Fiber', link: '/guides/react' },
      { text: 'Inspector and helpers', link: '/guides/devtools' },
      { text: 'Measure your own model', link: '/guides/report' },
      { text: 'FAQ and troubleshooting', link: '/guides/faq' },
    ],
  },
  {
    text: 'Recipes',
    items: [
      { text: 'All recipes', link: '/recipes/' },
      { text: 'Drawing', link: '/recipes/drawing' },
      { text: 'Picking and asking', link: '/recipes/picking' },
      { text: 'Events', link: '/recipes/events' },
      { text: 'Structures, tiles', link: '/recipes/data' },
      { text: 'Frameworks', link: '/recipes/frameworks' },
    ],
  },
  {
    text: 'Performance',
    items: [
      { text: 'Results', link: '/performance/' },
      { text: 'How it is measured', link: '/performance/method' },
      { text: 'Every row: libraries', link: '/performance/peers' },
      { text: 'Every row: structures', link: '/performance/structures' },
      { text: 'Every row: browser', link: '/performance/browser' },
      { text: 'Every row: WebGPU', link: '/performance/webgpu' },
      { text: 'Every row: frames', link: '/performance/frames' },
    ],
  },
  {
    text: 'Inside',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'What is promised', link: '/guarantees' },
      { text: 'Contributing', link: '/contributing' },
      { text: 'Changes', link: '/changelog' },
    ],
  },
];

/** The page of an address, `/guides/` being its index. */
export const fileOf = (link) => `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`;
