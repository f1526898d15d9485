/**
 * What keeps occlusion from hiding what is seen: each guard with the text of the source that makes it, what takes that away,
 * and the test that has to notice. `npm run mutate:guards`.
 *
 * Not here is what others make up for. Walls with callbacks, of their own or of a material, disturb the whole picture; a list
 * of materials has no `visible`; and what has `frustumCulled` false is drawn wherever it is.
 */

/** Random meshes and boxes, tried point by point against renderers that err as far as they may. */
export const FUZZ = 'test/occlusion/promise.test.ts';
/** A wall. */
export const HIDES = 'test/occlusion/hides.test.ts';
/** Boxes as near as numbers allow to a box with the other answer. */
export const EDGES = 'test/occlusion/edges.test.ts';
/** Rules, one by one, and pictures of a scene that changes. */
export const PASSES = 'test/render/occlusion/hidden.test.ts';
export const ASKED = PASSES;
export const PLACES = 'test/render/occlusion/inWorld.test.ts';

const COVERAGE = 'src/wasm/assembly/occlusion/coverage.ts';
const DRAW = 'src/wasm/assembly/occlusion/draw.ts';
const BOXES = 'src/wasm/assembly/occlusion/hidesBox.ts';
const TILES = 'src/wasm/assembly/occlusion/tiles.ts';
const VIEW = 'src/occlusion/OcclusionView.ts';
const MESH = 'src/occlusion/OccluderMesh.ts';
const RULES = 'src/render/occlusion/rules.ts';
const FACTS = 'src/three/materials.ts';
const STATE = 'src/render/occlusion/HiddenState.ts';
const SCENE = 'src/render/occlusion/SceneOcclusion.ts';
const PICTURE = 'src/render/occlusion/occlusionSettings.ts';
const OCCLUDERS = 'src/render/occlusion/CameraOcclusion.ts';

/** By test and file: the name of a guard, its text, and what takes its place. */
const OF_TESTS = [
  [
    EDGES,
    BOXES,
    [['guards of boxes at all', 'const guard = numberAt(GUARD) + xy * 0.5 * max(w, h);', 'const guard = 0;']],
  ],
  [
    FUZZ,
    COVERAGE,
    [
      ['borders', ' || load<i32>(bordered + (k << 2)) === mesh) continue;', ') continue;'],
      ['guard of borders, across', 'low(min(xa, xb) - g, 0)', 'low(min(xa, xb), 0)'],
      [
        'guard of borders, along',
        'low(y0 - g, 0);\n  const last = high(y1 + g, height - 1);',
        'low(y0, 0);\n  const last = high(y1, height - 1);',
      ],
      ['guard of what one triangle holds, on the left', 'ceil(inLeft + g)', 'ceil(inLeft)'],
      [
        'guard of what one triangle holds, on the right',
        'high(inRight - g, right + 1) - 1',
        'high(inRight, right + 1) - 1',
      ],
      [
        'both ends of a strip',
        'const inLeft = max(load<f64>(o, 16), load<f64>(o, 32))',
        'const inLeft = min(load<f64>(o, 16), load<f64>(o, 32))',
      ],
      [
        'what a triangle touches beyond its whole pixels',
        'high(max(outLeft, outRight) + g, width - 1)',
        'high(max(outLeft, outRight) - 1, width - 1)',
      ],
      [
        'farthest depth in a pixel, across',
        '(gx < 0 ? gx * (1 + g) : -gx * g) + (gy',
        '(gx < 0 ? gx * 0.5 : gx * 0.5) + (gy',
      ],
      [
        'farthest depth in a pixel, along',
        '(gy < 0 ? gy * (1 + g) : -gy * g);\n  const least',
        '(gy < 0 ? gy * 0.5 : gy * 0.5);\n  const least',
      ],
      [
        'farthest of the triangles of a pixel',
        ' else if (n < load<f32>(shared + (k << 2))) store<f32>(shared + (k << 2), n);',
        '',
      ],
      ['reserve of depth', 'const held = reserve + STORED * (mostN + abs(gx) + abs(gy));', 'const held: f64 = 0;'],
      ['sections leave out what one triangle holds', 'x = max(from, keptFrom);\n      end = min(to, keptTo);', ''],
      [
        'sections leave out what is shared',
        'if (hasSections && (x < keptFrom || x > keptTo)) store<i32>(bordered + (k << 2), mesh);',
        '',
      ],
      [
        'reserve of sections',
        'const held = sectionReserve + constantReserve * numberAt(s + 4) + 1e-9 * abs(perNear);',
        'const held: f64 = -0.05;',
      ],
      ['guard of sections', 'const m = sectionGuard;', 'const m: f64 = -0.5;'],
    ],
  ],
  [
    FUZZ,
    DRAW,
    [
      ['the side that is drawn', 'if (!(area * facing > 0 || (side === 0 && area !== 0))) continue;', ''],
      ['mirrored matrices', 'determinant(world) < 0 ? -side : side', 'side'],
      ['the way an edge is passed', '^ turned)', '^ 0)'],
      ['borders where meshes are cut', 'if (cutFrom >= 0) {', 'if (cutFrom > 99) {'],
      ['borders that pass the cut', 'if (isBefore(a)) a = b;\n    } else', 'continue;\n    } else'],
      ['the near plane', 'const CUT: f64 = 0.9990234375;', 'const CUT: f64 = 1.5;'],
      ['errors of a mesh in its guard', 'startMesh(numberAt(GUARD) + pixels', 'startMesh(numberAt(GUARD)'],
      ['what renderers round, in its guard', 'startMesh(numberAt(GUARD) + pixels', 'startMesh(pixels'],
      ['errors of nearness in its reserve', 'numberAt(DEPTH_GUARD) + nearness', 'numberAt(DEPTH_GUARD)'],
      [
        'the nearest vertex decides about errors',
        'leastW = min(leastW, load<f64>(clip + VERTEX * <usize>v, 16));',
        'leastW = 50;',
      ],
      ['sums in world coordinates', 'if (numberAt(IN_WORLD) === 1) {', 'if (numberAt(IN_WORLD) === 2) {'],
      [
        'double precision',
        'c === 3 ? sum + numberAt(VIEW + r + 3) : sum',
        'c === 3 ? <f64>(<f32>sum) + numberAt(VIEW + r + 3) : sum',
      ],
    ],
  ],
  [
    FUZZ,
    VIEW,
    [
      ['roundings of vertices', 'n[AT.GUARD] = VERTEX_SNAP * share;', 'n[AT.GUARD] = 0;'],
      ['roundings of depth', 'n[AT.DEPTH_GUARD] = log === null ? error + 2 ** -bits : 0;', 'n[AT.DEPTH_GUARD] = 0;'],
      [
        'whole pixels that sections leave out',
        'n[AT.SECTION_GUARD] = n[AT.GUARD] + share;',
        'n[AT.SECTION_GUARD] = 0;',
      ],
      ['the way from the origin of a batch', 'BATCH_TERMS * fromOrigin', '0 * fromOrigin'],
    ],
  ],
  [
    HIDES,
    VIEW,
    [
      [
        'roundings of a logarithm',
        'n[AT.RELATIVE_GUARD] = log === null ? 0 : (2 ** -20 + 2 ** (1 - bits)) * (1 + most);',
        'n[AT.RELATIVE_GUARD] = 0;',
      ],
    ],
  ],
  [
    FUZZ,
    BOXES,
    [
      [
        'what comes to the near plane',
        'if (!i64x2.all_true(v128.and(f64x2.gt(f64x2.sub(w, n), zero), f64x2.gt(w, leastWs)))) return false;',
        '',
      ],
      ['guard of boxes on the left', '0.5 * w - guard', '0.5 * w + 1'],
      ['guard of boxes on the right', '0.5 * w + guard', '0.5 * w - 1'],
      ['guard of boxes below', '0.5 * h - guard', '0.5 * h + 1'],
      ['guard of boxes above', '0.5 * h + guard', '0.5 * h - 1'],
      ['the nearest corner', 'mosts = f64x2.pmax(mosts, f64x2.mul(n, i));', 'mosts = f64x2.mul(n, i);'],
      ['the reserve of boxes', '<f32>(most + numberAt(DEPTH_GUARD))', '<f32>most'],
    ],
  ],
  [
    FUZZ,
    TILES,
    [
      ['every pixel of a small rectangle', '& firstOf(right - x + 1)) !== 0', '& firstOf(1)) !== 0'],
      ['every tile', '(x1 - x0 === 7 && y1 - y0 === 7) || !pixels', '!(x1 - x0 === 7 && y1 - y0 === 7) && !pixels'],
    ],
  ],
  [
    EDGES,
    BOXES,
    [
      [
        'the nearness of what is seen in the middle',
        '<= rowTimes(12, x, y, z) * i;',
        '<= rowTimes(12, x, y, z) * i * 1.01;',
      ],
      [
        'what is in the middle of the screen',
        '(rowTimes(0, x, y, z) * i + 1) * 0.5',
        '(rowTimes(0, x, y, z) * i + 1.1) * 0.5',
      ],
    ],
  ],
  [
    FUZZ,
    MESH,
    [
      [
        'only equal vertices are one',
        'Math.fround(positions[o + c]) + 0',
        'Math.round(16 * positions[o + c]) / 16 + 0',
      ],
      ['triangles that share an edge pass it both ways', '2 * number + (a < b ? 0 : 1)', '2 * number'],
    ],
  ],
  [
    PASSES,
    RULES,
    [
      ['transparent walls', 'FACTS.transparent | ', ''],
      [
        'depthWrite of walls',
        'FACTS.noColor | FACTS.noDepthWrite | FACTS.noDepthTest',
        'FACTS.noColor | FACTS.noDepthTest',
      ],
      [
        'colorWrite of walls',
        'FACTS.noColor | FACTS.noDepthWrite | FACTS.noDepthTest',
        'FACTS.noDepthWrite | FACTS.noDepthTest',
      ],
      [
        'depthTest of walls',
        'FACTS.noColor | FACTS.noDepthWrite | FACTS.noDepthTest',
        'FACTS.noColor | FACTS.noDepthWrite',
      ],
      ['depth functions of walls', "[FACTS.depthFunc, 'its depthFunc may draw it behind nearer objects'],", ''],
      ['blended walls', "[FACTS.blended, 'it is blended with what is behind'],", ''],
      ['wireframes', "[FACTS.wireframe, 'it is drawn as a wireframe'],", ''],
      [
        'offset walls',
        "[FACTS.polygonOffset, 'its polygonOffset draws it at other depths'],\n  [FACTS.stencil, ",
        '[FACTS.stencil, ',
      ],
      ['walls under a stencil', "[FACTS.stencil, 'the stencil may cut parts of it away'],", ''],
      ['displaced walls', "[FACTS.displaced, 'a displacementMap moves its vertices'],", ''],
      ['invisible materials', 'FACTS.missing | FACTS.invisible', 'FACTS.missing'],
      ['shaders of walls', "[FACTS.otherShader, 'it has a shader of its own'],", ''],
      ['patched shaders of walls', "[FACTS.onBeforeCompile, 'its onBeforeCompile changes its shader'],", ''],
      ['nodes of walls', "[FACTS.nodes, 'its material has nodes of its own'],", ''],
      ['morphed walls', "[(o) => !hasMorphs(o), 'morph targets move its vertices'],", ''],
      [
        'walls of instanced attributes',
        "[(o) => !hasMovers(o.geometry), 'instanced attributes may move its vertices'],",
        '',
      ],
      ['morphed things', "[(o) => !hasMorphs(o), 'morph targets may move it out of its bounds'],", ''],
      [
        'things of instanced attributes',
        "[(o) => !hasMovers(o.geometry), 'instanced attributes may move it out of its bounds'],",
        '',
      ],
      [
        'things that the renderer tests',
        "[(o) => !o.occlusionTest, 'it is tested for occlusion by the renderer'],",
        '',
      ],
      ['shaders of things', "[FACTS.otherShader, 'its shader may draw it elsewhere'],", ''],
      ['patched shaders of things', "[FACTS.onBeforeCompile, 'its onBeforeCompile may draw it elsewhere'],", ''],
      ['callbacks of materials in view', "[FACTS.onBeforeRender, 'has a material with an onBeforeRender'],", ''],
      ['stencils by depth in view', "[FACTS.stencilByDepth, 'writes the stencil depending on depth'],", ''],
      ['depths that may go back', "[FACTS.fartherDepth, 'may overwrite a depth with a farther one'],", ''],
    ],
  ],
  [
    PASSES,
    FACTS,
    [
      ['alpha tests', 'm.alphaTest > 0 || ', ''],
      ['hashed alpha', ' || alphaHash ||', ' ||'],
      ['alpha to coverage', ' || m.alphaToCoverage', ''],
    ],
  ],
  [
    PASSES,
    STATE,
    [
      [
        'coordinates far larger than bounds',
        'if (!(terms <= SIDE_TERMS * sides + POSITION_TERMS * positions)) return 0;',
        '',
      ],
      ['exceptions of things', ' && this.#isAllowed(object);', ';'],
      ['callbacks in view', 'if (!isQuiet(object)) return DISTURBS;', ''],
    ],
  ],
  [
    PASSES,
    SCENE,
    [
      [
        'layers of walls',
        'if (id < 0 || !isShownTo(object, pass.layers.mask) || whyHidesNothing',
        'if (id < 0 || whyHidesNothing',
      ],
      [
        'walls within groups that are drawn as a whole',
        'findReach(parent) !== OPEN) return false;',
        'findReach(parent) === 0) return false;',
      ],
      [
        'exceptions of walls',
        ' || !this.#isAllowed(object)) return false;\n    const { material }',
        ') return false;\n    const { material }',
      ],
      [
        'clipping planes of walls',
        'if (!isUncut(this.#entries.measured.getBox(id, this.#box), (material as Material).clippingPlanes)) return false;',
        '',
      ],
      ['what disturbs lets nothing be hidden', 'if ((flags & DISTURBS) !== 0) return DISTURBED;', ''],
    ],
  ],
  [
    PASSES,
    PICTURE,
    [
      [
        'section planes',
        'for (const given of renderer.clippingPlanes ?? []) {',
        'for (const given of [] as Plane[]) {',
      ],
      ['the probe of samples', "if (depths === 'right') return null;", 'return null;'],
    ],
  ],
  [
    PLACES,
    STATE,
    [
      [
        'errors that grow with places in the world',
        'return shape !== null && terms <= ROUNDED * sides ? MAY_HIDE : MAY_HIDE | WORLD_SUMS;',
        'return MAY_HIDE;',
      ],
    ],
  ],
  [PLACES, SCENE, [['the same with batches', '      isBatched || occluders.instanced', '      occluders.instanced']]],
  [
    PLACES,
    PICTURE,
    [
      ['origins of batches', 'isBatched ? farthestFromOrigin(view) : 0', '0'],
      ['the same without perspective', 'fromEye : view.height)', 'fromEye : 0)'],
      ['the same of an eye that the projection moves', '(view.isPerspective ? fromEye', '(view.isPerspective ? 0'],
    ],
  ],
  [
    ASKED,
    SCENE,
    [['walls that moved', '[this.#entries.version, occluders.version, changes, layers.mask]', '[layers.mask]']],
  ],
  [
    ASKED,
    OCCLUDERS,
    [
      [
        'occluders that changed at rest',
        '      this.drawn.every((occluder) => this.#mayDraw(occluder, pass) && isUnchanged(occluder)) &&\n',
        '',
      ],
      ['the side of a wall, when it changes', ' === side && occluderMeshOf', ' !== -9 && occluderMeshOf'],
    ],
  ],
];

export const GUARDS = OF_TESTS.flatMap(([test, file, guards]) =>
  guards.map(([name, from, to]) => ({ name, file, from, to, test })),
);
