// A structure of this library, by name; with SIMD=0 in plain JavaScript. Another bundle may take the place of today's.
export async function create([name, options, file = '../library.mjs']) {
  const { createIndex, enableSimd, Hits, IdList, STRUCTURES } = await import(file);
  if (!STRUCTURES.includes(name)) return null;
  enableSimd(process.env.SIMD !== '0');
  const ids = new IdList();
  const hits = new Hits();
  let index = createIndex(name, options);
  let picked = new Float64Array(0);
  // Ids are given anew on `add`: handle[i] is the id of box i, and names[id] the way back.
  let handle;

  const pick = (some, boxes) => {
    if (picked.length !== 6 * some.length) picked = new Float64Array(6 * some.length);
    for (let i = 0; i < some.length; i++) for (let c = 0; c < 6; c++) picked[6 * i + c] = boxes[6 * some[i] + c];
    return picked;
  };
  const adapter = {
    names: undefined,
    counters: () => index.counters,
    build(boxes) {
      index = createIndex(name, options);
      index.addAll(boxes);
    },
    update: (moved, boxes) => index.updateAll(moved, 6 * moved.length === boxes.length ? boxes : pick(moved, boxes)),
    replace(gone, boxes) {
      handle ??= Int32Array.from({ length: index.size }, (_, id) => id);
      adapter.names ??= handle.slice();
      index.removeAll(gone.map((i) => handle[i]));
      const ids = index.addAll(pick(gone, boxes));
      for (let i = 0; i < gone.length; i++) {
        handle[gone[i]] = ids[i];
        adapter.names[ids[i]] = gone[i];
      }
    },
    cull: ({ planes }) => index.queryPlanes(planes, ids),
    rayFirst: (ray) => index.raycastFirst(ray, hits),
    rayAll: (ray) => index.raycast(ray, hits),
    box: (query) => index.queryBox(query, ids),
    sphere: ({ center, radius }) => index.querySphere(center[0], center[1], center[2], radius, ids),
    nearest: (p) => index.nearest(p[0], p[1], p[2], 1, Number.POSITIVE_INFINITY, hits),
  };
  adapter.teleport = adapter.update;
  return adapter;
}
