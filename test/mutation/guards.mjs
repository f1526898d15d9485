/**
 * What keeps occlusion from hiding what is seen: each guard with the text of the source that makes it, what takes that away,
 * and the test that has to notice. `npm run mutate:guards`.
 *
 * Not here is what others make up for. Walls with callbacks, of their own or of a material, disturb the whole picture; a list
 * of materials has no `visible`; and what has `frustumCulled` false is drawn wherever it is.
 */

/** Random meshes and boxes, tried point by point against renderers that err as far as they may. */
export const FUZZ = 'test/occlusion/promise.test.ts';
/** Boxes as near as numbers allow to a box with the other answer. */
export const EDGES = 'test/occlusion/edges.test.ts';
/** Rules, one by one, and pictures of a scene that changes. */
export const PASSES = 'test/render/occlusion/hidden.test.ts';
export const ASKED = 'test/render/occlusion/maze.test.ts';
export const PLACES = 'test/render/occlusion/inWorld.test.ts';

const COVERAGE = 'test/helpers/occlusion/plain/Coverage.ts';
const PLAIN = 'test/helpers/occlusion/plain/PlainOcclusion.ts';
const VIEW = 'src/occlusion/OcclusionView.ts';
const BOXES = 'test/helpers/occlusion/plain/hidesBox.ts';
const TILES = 'test/helpers/occlusion/plain/Tiles.ts';
const KERNEL_BOXES = 'src/wasm/assembly/occlusion/hidesBox.ts';
const MESH = 'src/occlusion/OccluderMesh.ts';
const RULES = 'src/render/occlusion/rules.ts';
const FACTS = 'src/scene/objects/materialFacts.ts';
const STATE = 'src/render/occlusion/HiddenState.ts';
const SCENE = 'src/render/occlusion/SceneOcclusion.ts';
const PICTURE = 'src/render/occlusion/picture.ts';
const OCCLUDERS = 'src/render/occlusion/CameraOcclusion.ts';

/** By test and file: the name of a guard, its text, and what takes its place. */
const OF_TESTS = [
  [
    EDGES,
    BOXES,
    [['guards of boxes at all', 'const guard = view[GUARD] + xy * 0.5 * max(width, height);', 'const guard = 0;']],
  ],
  [
    FUZZ,
    COVERAGE,
    [
      ['borders', ' || this.#bordered[k] === this.#mesh', ''],
      ['guard of borders, across', 'floor((xa < xb ? xa : xb) - g)', 'floor(xa < xb ? xa : xb)'],
      [
        'guard of borders, along',
        'floor(y0 - g));\n    const last = min(height - 1, floor(y1 + g));\n    for (let r = first; r <= last; r++) {\n      const low',
        'floor(y0));\n    const last = min(height - 1, floor(y1));\n    for (let r = first; r <= last; r++) {\n      const low',
      ],
      ['guard of what one triangle holds, on the left', 'ceil(inLeft + g)', 'ceil(inLeft)'],
      ['guard of what one triangle holds, on the right', 'floor(inRight - g) - 1', 'floor(inRight) - 1'],
      [
        'both ends of a strip',
        'const inLeft = max(spans[o + 2], spans[o + 4])',
        'const inLeft = min(spans[o + 2], spans[o + 4])',
      ],
      [
        'what a triangle touches beyond its whole pixels',
        'floor(max(outLeft, outRight) + g)',
        'floor(max(outLeft, outRight) - 1)',
      ],
      [
        'farthest depth in a pixel, across',
        '(gx < 0 ? gx * (1 + g) : -gx * g) + (gy',
        '(gx < 0 ? gx * 0.5 : gx * 0.5) + (gy',
      ],
      [
        'farthest depth in a pixel, along',
        '(gy < 0 ? gy * (1 + g) : -gy * g);\n    const least',
        '(gy < 0 ? gy * 0.5 : gy * 0.5);\n    const least',
      ],
      ['farthest of the triangles of a pixel', 'else if (bound < shared[k]) shared[k] = bound;', ''],
      [
        'reserve of depth',
        'const reserve = this.#reserve + STORED * (mostN + abs(gx) + abs(gy));',
        'const reserve = 0;',
      ],
      [
        'sections leave out what one triangle holds',
        'keptFrom = max(from, this.#keptFrom);\n        keptTo = min(to, this.#keptTo);',
        '',
      ],
      [
        'sections leave out what is shared',
        'if (hasSections && (x < this.#keptFrom || x > this.#keptTo)) this.#bordered[k] = mesh;',
        '',
      ],
      [
        'reserve of sections',
        'const reserve = this.#sectionReserve + this.#constantReserve * view[s + 4] + 1e-9 * abs(view[s + 2]);',
        'const reserve = -0.05;',
      ],
      ['guard of sections', 'const m = this.#sectionGuard;', 'const m = -0.5;'],
    ],
  ],
  [
    FUZZ,
    PLAIN,
    [
      ['the side that is drawn', 'if (!(area * facing > 0 || (side === 0 && area !== 0))) continue;', ''],
      ['mirrored matrices', 'determinant(world, o) < 0 ? -side : side', 'side'],
      ['the way an edge is passed', '^ turned)', '^ 0)'],
      ['borders where meshes are cut', 'if (this.#cutFrom >= 0) {', 'if (this.#cutFrom > 99) {'],
      [
        'borders that pass the cut',
        'coverage.mark(screen[CORNER * a], screen[CORNER * a + 1], point[0], point[1]);',
        '',
      ],
      ['the near plane', 'const CUT = 1 - 2 ** -10;', 'const CUT = 1.5;'],
      ['errors of a mesh in its guard', 'const guard = numbers[GUARD] + pixels;', 'const guard = numbers[GUARD];'],
      ['what renderers round, in its guard', 'const guard = numbers[GUARD] + pixels;', 'const guard = pixels;'],
      ['errors of nearness in its reserve', 'numbers[DEPTH_GUARD] + nearness', 'numbers[DEPTH_GUARD]'],
      ['the nearest vertex decides about errors', 'leastW = min(leastW, clip[VERTEX * v + 2]);', 'leastW = 50;'],
      ['sums in world coordinates', 'if (numbers[IN_WORLD] === 1) {', 'if (numbers[IN_WORLD] === 2) {'],
      [
        'double precision',
        'toView[r + c] = c === 3 ? sum + numbers[VIEW + r + 3] : sum;',
        'toView[r + c] = c === 3 ? Math.fround(sum) + numbers[VIEW + r + 3] : sum;',
      ],
    ],
  ],
  [
    FUZZ,
    VIEW,
    [
      ['roundings of vertices', 'n[AT.GUARD] = SNAP * share;', 'n[AT.GUARD] = 0;'],
      ['roundings of depth', 'n[AT.DEPTH_GUARD] = log === null ? 2 ** -21 + 2 ** -bits : 0;', 'n[AT.DEPTH_GUARD] = 0;'],
      [
        'roundings of a logarithm',
        'n[AT.RELATIVE_GUARD] = log === null ? 0 : (2 ** -20 + 2 ** (1 - bits)) * (1 + most);',
        'n[AT.RELATIVE_GUARD] = 0;',
      ],
      [
        'whole pixels that sections leave out',
        'n[AT.SECTION_GUARD] = n[AT.GUARD] + share;',
        'n[AT.SECTION_GUARD] = 0;',
      ],
      ['the way from the origin of a batch', 'BATCH_TERMS * fromOrigin', '0 * fromOrigin'],
    ],
  ],
  [
    FUZZ,
    BOXES,
    [
      ['what comes to the near plane', 'if (!(w - n > 0 && w > LEAST_W)) return false;', ''],
      ['guard of boxes on the left', '0.5 * width - guard)', '0.5 * width + 1)'],
      ['guard of boxes on the right', '0.5 * width + guard)', '0.5 * width - 1)'],
      ['guard of boxes below', '0.5 * height - guard)', '0.5 * height + 1)'],
      ['guard of boxes above', '0.5 * height + guard)', '0.5 * height - 1)'],
      ['the nearest corner', 'most = max(most, n * i);', 'most = n * i;'],
      ['the reserve of boxes', 'most = fround(most + view[DEPTH_GUARD]);', 'most = fround(most);'],
    ],
  ],
  [
    FUZZ,
    TILES,
    [
      [
        'every pixel of a small rectangle',
        'if (!(near[k] > most)) return false;',
        'if (k === y * width + left && !(near[k] > most)) return false;',
      ],
      ['every tile', 'if (x1 - x0 === 7 && y1 - y0 === 7) return false;', 'continue;'],
    ],
  ],
  [
    EDGES,
    KERNEL_BOXES,
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
      ['coordinates far larger than bounds', 'if (!(terms <= SIDES * sides + PLACES * places)) return 0;', ''],
      ['exceptions of things', ' && this.#isAllowed(object);', ';'],
      ['callbacks in view', 'if (!isQuiet(object)) return DISTURBS;', ''],
    ],
  ],
  [
    PASSES,
    SCENE,
    [
      ['layers of walls', 'if (id < 0 || !isShown(object, sight) || whyHidesNothing', 'if (id < 0 || whyHidesNothing'],
      [
        'walls within groups that are drawn as a whole',
        ' || isAggregate(above.object)) return false;',
        ') return false;',
      ],
      [
        'exceptions of walls',
        ' || !this.#isAllowed(object)) return false;\n    const { material }',
        ') return false;\n    const { material }',
      ],
      [
        'clipping planes of walls',
        'if (!isWhole(this.#entries.measured.getBox(id, this.#box), (material as Material).clippingPlanes)) return false;',
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
        'const sections: number[] = [];\n  for (const given of picture.clippingPlanes) {',
        'const sections: number[] = [];\n  for (const given of picture.clippingPlanes.slice(0, 0)) {',
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
        'return shape !== null && terms <= ROUNDED * sides ? MAY_HIDE : MAY_HIDE | IN_WORLD;',
        'return MAY_HIDE;',
      ],
    ],
  ],
  [PLACES, SCENE, [['the same with batches', '      isBatched || occluders.instanced', '      occluders.instanced']]],
  [
    PLACES,
    PICTURE,
    [
      ['origins of batches', 'isBatched ? farthestFromOrigin(elements) : 0', '0'],
      [
        'the same without perspective',
        ' + (isBatched && elements[15] === 1 ? fromOrigin * viewHeight(elements) : 0)',
        '',
      ],
    ],
  ],
  [
    ASKED,
    SCENE,
    [
      [
        'walls that moved',
        '[settings, this.#entries.version, occluders.version, changes, layers.mask]',
        '[settings, layers.mask]',
      ],
    ],
  ],
  [
    ASKED,
    OCCLUDERS,
    [
      [
        'occluders that changed at rest',
        '      this.drawn.every((occluder) => look.mayDraw(occluder) && isUnchanged(occluder)) &&\n',
        '',
      ],
      ['the side of a wall, when it changes', ' === side && occluderMeshOf', ' !== -9 && occluderMeshOf'],
    ],
  ],
];

export const GUARDS = OF_TESTS.flatMap(([test, file, guards]) =>
  guards.map(([name, from, to]) => ({ name, file, from, to, test })),
);
