/**
 * What keeps occlusion from hiding what is seen: each guard with the text of the source that makes it, what takes that away,
 * and the test that has to notice. `npm run mutate:guards`.
 *
 * Not here is what others make up for. Walls with callbacks, of their own or of a material, disturb the whole picture; a list
 * of materials has no `visible`; and what has `frustumCulled` false is drawn wherever it is.
 */

/** Random meshes and boxes, tried point by point against renderers that err as far as they may. */
export const FUZZ = 'test/occlusion/promise.test.ts';
/** Boxes between hidden and not, where single precision cannot tell. */
export const EDGES = 'test/occlusion/edges.test.ts';
/** Rules, one by one, in passes and in `index.cull`. */
export const PASSES = 'test/occlusion/scene/hidden.test.ts';
export const ASKED = 'test/occlusion/scene/cull.test.ts';
export const PLACES = 'test/occlusion/scene/inWorld.test.ts';

const COVERAGE = 'src/occlusion/Coverage.ts';
const PLAIN = 'src/occlusion/PlainOcclusion.ts';
const VIEW = 'src/occlusion/OcclusionView.ts';
const BOXES = 'src/occlusion/hidesBox.ts';
const TILES = 'src/occlusion/Tiles.ts';
const ROUGH = 'src/wasm/assembly/occlusion/rough.ts';
const MESH = 'src/occlusion/OccluderMesh.ts';
const RULES = 'src/occlusion/scene/rules.ts';
const FACTS = 'src/scene/objects/materialFacts.ts';
const STATE = 'src/occlusion/scene/HiddenState.ts';
const SCENE = 'src/occlusion/scene/SceneOcclusion.ts';
const SAMPLES = 'src/occlusion/scene/whyNotInPass.ts';
const OCCLUDERS = 'src/occlusion/scene/View.ts';

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
      ['roundings of vertices', 'n[GUARD] = SNAP * share;', 'n[GUARD] = 0;'],
      ['roundings of depth', 'n[DEPTH_GUARD] = log === null ? 2 ** -21 + 2 ** -bits : 0;', 'n[DEPTH_GUARD] = 0;'],
      [
        'roundings of a logarithm',
        'n[RELATIVE_GUARD] = log === null ? 0 : (2 ** -20 + 2 ** (1 - bits)) * (1 + most);',
        'n[RELATIVE_GUARD] = 0;',
      ],
      ['whole pixels that sections leave out', 'n[SECTION_GUARD] = n[GUARD] + share;', 'n[SECTION_GUARD] = 0;'],
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
    ROUGH,
    [
      ['SHARE, of which errors are made', 'const SHARE: f64 = 4.76837158203125e-7;', 'const SHARE: f64 = 0;'],
      ['roundings in double precision', 'const DOUBLE: f64 = 1.4210854715202004e-14;', 'const DOUBLE: f64 = 0;'],
      ['numbers too small for single precision', 'const TINY: f64 = 8.077935669463161e-28;', 'const TINY: f64 = 0;'],
      ['errors that grow with the distance', 'put(errors, max(<f64>load<f32>(frame + errors), SHARE * largest));', ''],
      ['errors whatever the distance', 'put(errors + 4, max(<f64>load<f32>(frame + errors + 4), besides));', ''],
      ['errors of sides of rows', '(abs(constant) + sum * most)', '(abs(constant))'],
      ['errors of x', 'setRow(X, ROWS, 0, most, unit, ERROR);', 'setRow(X, ROWS, 0, most, unit, PIXELS);'],
      ['errors of y', 'setRow(Y, ROWS + 4, 0, most, unit, ERROR);', 'setRow(Y, ROWS + 4, 0, most, unit, PIXELS);'],
      ['errors of w', 'setRow(W, ROWS + 8, 0, most, unit, ERROR);', 'setRow(W, ROWS + 8, 0, most, unit, PIXELS);'],
      [
        'errors of the rest',
        'setRow(REST, ROWS + 12, ofW, most, unit, REST_ERROR);',
        'setRow(REST, ROWS + 12, ofW, most, unit, PIXELS);',
      ],
      ['widening by the reach', 'put(PLACE, numberAt(BOX_XY));', 'put(PLACE, 0);'],
      ['widening whatever the reach', 'put(PLACE + 4, numberAt(BOX_CONSTANTS));', 'put(PLACE + 4, 0);'],
      [
        'nearness by the reach',
        'put(NEARNESS, numberAt(BOX_N) + numberAt(BOX_TERMS));',
        'put(NEARNESS, numberAt(BOX_TERMS));',
      ],
      ['nearness whatever the reach', 'put(NEARNESS + 4, numberAt(BOX_CONSTANTS + 1));', 'put(NEARNESS + 4, 0);'],
      ['nearness of w by the reach', 'put(PER_W, numberAt(BOX_W));', 'put(PER_W, 0);'],
      ['nearness of w whatever the reach', 'put(PER_W + 4, numberAt(BOX_CONSTANTS + 2));', 'put(PER_W + 4, 0);'],
      ['roundings of a logarithm', 'put(RELATIVE, 2 * numberAt(RELATIVE_GUARD));', 'put(RELATIVE, 0);'],
      [
        'both roundings of a logarithm',
        'put(RELATIVE, 2 * numberAt(RELATIVE_GUARD));',
        'put(RELATIVE, numberAt(RELATIVE_GUARD));',
      ],
      ['roundings that grow with nearness', 'put(RELATIVE + 4, numberAt(PER_NEAR));', 'put(RELATIVE + 4, 0);'],
      ['the reserve of depth', 'put(DEPTH, numberAt(DEPTH_GUARD));', 'put(DEPTH, 0);'],
      ['roundings of vertices', 'put(EDGE, numberAt(GUARD));', 'put(EDGE, 0);'],
      [
        'widening at all',
        'f32x4.add(v128.load32_splat(c, EDGE), f32x4.mul(half, place))',
        'v128.load32_splat(c, EDGE)',
      ],
      ['the largest reach', 'f32x4.lt(reach, f32x4.splat(MOST_REACH))', 'i32x4.splat(-1)'],
      ['errors of quotients', 'f32x4.mul(f32x4.mul(error, inverse), f32x4.splat(3))', 'f32x4.splat(0)'],
      ['errors of places on the screen', 'f32x4.mul(f32x4.add(one, place), share)', 'f32x4.mul(place, share)'],
      ['errors of the nearness beside its share of w', 'f32x4.mul(f32x4.add(restError, restError), inverse),', 'zero,'],
      ['the larger rectangle', 'const outer = f32x4.add(guard, offPlace);', 'const outer = guard;'],
      ['the smaller rectangle', 'const inner = f32x4.sub(guard, offPlace);', 'const inner = guard;'],
      ['nearness beside its share of w', 'f32x4.pmax(zero, mostRest)', 'zero'],
      ['the least w', 'f32x4.mul(f32x4.pmax(zero, mostRest), inverse)', 'f32x4.div(f32x4.pmax(zero, mostRest), mostW)'],
      ['the greatest w', 'f32x4.div(mostRest, mostW)', 'f32x4.mul(mostRest, inverse)'],
      [
        'nearness that is less than its share of w',
        'v128.bitselect(f32x4.pmax(f32x4.div(mostRest, mostW), atLeastW), atLeastW, f32x4.ge(mostRest, zero))',
        'f32x4.pmax(f32x4.div(mostRest, mostW), atLeastW)',
      ],
      ['what is added to nearness', 'f32x4.add(most, f32x4.mul(linear(c + NEARNESS, reach), inverse))', 'most'],
      ['what w adds to nearness', ', f32x4.mul(most, perW));\n  const relative', ', zero);\n  const relative'],
      [
        'errors of the nearness',
        'f32x4.mul(f32x4.add(wide, f32x4.abs(ofW)), share)',
        'f32x4.mul(f32x4.abs(ofW), share)',
      ],
      ['the greater nearness', 'const greater = f32x4.add(nearness, offNear);', 'const greater = nearness;'],
      ['the lesser nearness', 'f32x4.sub(f32x4.sub(nearness, offNear), spread)', 'f32x4.sub(nearness, spread)'],
      [
        'between the nearest and the farthest corner',
        'f32x4.sub(f32x4.sub(nearness, offNear), spread)',
        'f32x4.sub(nearness, offNear)',
      ],
      ['w that is not known', 'f32x4.gt(leastW, f32x4.add(error, error))', 'i32x4.splat(-1)'],
      ['the near plane, of four', 'f32x4.lt(greater, one)', 'i32x4.splat(-1)'],
      [
        'the nearness of what is seen in the middle',
        'f32x4.le(gather(near, pixels), lesser)',
        'f32x4.le(gather(near, pixels), v128.load(c, GREATER))',
      ],
      ['tiles of boxes of which nothing is said', ', isSmall)) & said;', ', isSmall));'],
      [
        'tiles on the left',
        'i32x4.trunc_sat_f32x4_s(f32x4.sub(v128.load(c, EXTENT), outer))',
        'i32x4.trunc_sat_f32x4_s(v128.load(c, EXTENT))',
      ],
      ['tiles below', 'f32x4.sub(v128.load(c, EXTENT + 32), outer)', 'v128.load(c, EXTENT + 32)'],
      ['tiles on the right', 'f32x4.add(v128.load(c, EXTENT + 16), outer)', 'v128.load(c, EXTENT + 16)'],
      ['tiles above', 'f32x4.add(v128.load(c, EXTENT + 48), outer)', 'v128.load(c, EXTENT + 48)'],
      ['the nearness of tiles', 'f32x4.gt(least, v128.load(c, GREATER))', 'f32x4.gt(least, v128.load(c, LESSER))'],
      ['the nearness of what is hidden', 'load<f32>(at, GREATER - EXTENT)', 'load<f32>(at, LESSER - EXTENT)'],
      [
        'the nearness of what is seen',
        'farNear <= load<f32>(at, LESSER - EXTENT)',
        'farNear <= load<f32>(at, GREATER - EXTENT)',
      ],
      ['seen on the left', '<f32>farLeft > load<f32>(at) - inner - 1 && ', ''],
      ['seen on the right', '<f32>farRight <= load<f32>(at, 16) + inner &&\n', ''],
      ['seen below', '<f32>farBottom > load<f32>(at, 32) - inner - 1 && ', ''],
      ['seen above', ' && <f32>farTop <= load<f32>(at, 48) + inner', ''],
    ],
  ],
  [
    FUZZ,
    MESH,
    [
      [
        'only equal vertices are one',
        'xyz[c] = positions[3 * vertex + c] + 0;',
        'xyz[c] = Math.round(16 * positions[3 * vertex + c]) / 16 + 0;',
      ],
      ['triangles that share an edge pass it both ways', '2 * edges.add(b, a, 0) + 1', '2 * edges.add(b, a, 0)'],
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
      ['callbacks in view', "if (!isQuiet(object)) return 'has callbacks around its drawing';", ''],
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
      [
        'section planes',
        'const sections: number[] = [];\n    for (const given of picture.clippingPlanes) {',
        'const sections: number[] = [];\n    for (const given of picture.clippingPlanes.slice(0, 0)) {',
      ],
      ['what disturbs lets nothing be hidden', 'if ((all & DISTURBS) !== 0) return DISTURBED;', ''],
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
  [
    PLACES,
    SCENE,
    [
      ['the same with batches', 'view.isInWorld = isBatched || ', 'view.isInWorld = '],
      ['origins of batches', 'isBatched ? farthestFromOrigin(elements) : 0', '0'],
      [
        'the same without perspective',
        ' + (isBatched && elements[15] === 1 ? fromOrigin * viewHeight(elements) : 0)',
        '',
      ],
    ],
  ],
  [PASSES, SAMPLES, [['the probe of samples', "if (depths === 'right') return null;", 'return null;']]],
  [
    ASKED,
    SCENE,
    [
      [
        'walls that moved',
        'note(this.#entries.version);\n    note(this.#occluders.version);\n    note(sight.changes);',
        '',
      ],
      ['occluders that changed at rest', ' && this.#occludersRest(view, sight);', ';'],
    ],
  ],
  [
    ASKED,
    OCCLUDERS,
    [['the side of a wall, when it changes', ' === side && occluderMeshOf', ' !== -9 && occluderMeshOf']],
  ],
];

export const GUARDS = OF_TESTS.flatMap(([test, file, guards]) =>
  guards.map(([name, from, to]) => ({ name, file, from, to, test })),
);
