/** By what is said of an object that is drawn by itself, what can be done about it. The first that fits counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/no picture has shown/, 'Nothing: it joins once a picture has shown it.'],
  [/next picture|joined with/, 'Nothing: this is decided in one of the next pictures.'],
  [/^too few/, 'Share materials, attributes and flags with others, or lower the option batch.atLeast.'],
  [/no more memory/, 'Raise the option batch.maxBytes, or share geometries.'],
  [/not to be drawn in batches/, 'Call index.batch(object, true) with it, or with an object above it.'],
  [/shears/, 'Scale the geometry, not an object above a rotated one: shaders of batches would bend its normals.'],
  [/drawn with all that lies in it/, 'Take it out of there, if it can stand alone.'],
  [/^it is of type (?!\w*Mesh)/, 'Nothing: lines, points and sprites are drawn one by one.'],
  [/InstancedMesh|BatchedMesh|has count|geometry has instances/, 'Nothing: its instances are one draw call already.'],
  [/SkinnedMesh/, 'Nothing: skinned meshes are drawn one by one.'],
  [
    /material has its own on(BeforeCompile)|material has its own \w*Node|material is of type/,
    "Use a plain material of three's, or accept it by the option batch.accept if its shader needs nothing of a single object.",
  ],
  [/its own on(Before|After)/, 'Delete that method, and do its work once a frame.'],
  [/customD\w+Material/, "Delete it where three's own shadows will do."],
  [/occlusionTest/, 'Set occlusionTest to false.'],
  [
    /wireframe/,
    'Shaders of batches would shift its lines: set wireframe to false, or draw LineSegments with a WireframeGeometry.',
  ],
  [/normalMapType/, 'Use a normal map in tangent space.'],
  [/alphaHash/, 'Use alphaTest, or transparent: true. The noise depends on the matrix of an object.'],
  [
    /transmission/,
    'Set transmission to 0, and opacity where plain transparency will do. What transmits is drawn after all else.',
  ],
  [/DoubleSide/, 'Set forceSinglePass to true, or side to FrontSide: else three draws each mesh twice.'],
  [/blending/, 'Set transparent to true, or blending to NormalBlending: its place in the order counts.'],
  [/stencilWrite/, 'Set stencilWrite to false: its place in the order counts.'],
  [/colorWrite/, 'Set colorWrite to true, or visible to false: its place in the order counts.'],
  [/depthFunc/, 'Set depthFunc to LessEqualDepth: its place in the order counts.'],
  [
    /depthTest|depthWrite/,
    'Set depthTest and depthWrite to true, or transparent to true: its place in the order counts.',
  ],
  [/morph targets/, 'Delete morphAttributes that are not used.'],
  [/ShaderChunk/, "Patch materials rather than all shaders of three's."],
  [/needsUpdate/, 'Set needsUpdate to true after each edit.'],
  [/most frames/, 'Nothing: to copy it for each picture would take longer.'],
  [/instanced/, 'Draw it as an InstancedMesh, or without that attribute.'],
  [/attribute|index cannot/, 'Give it typed arrays with numbers for each vertex.'],
  [/no vertices|is empty|no group of its geometry|lacks a material/, 'Remove it: it draws nothing.'],
];

/** What can be done about a reason why an object is drawn by itself. */
export function adviceOn(reason: string): string {
  return ADVICE.find(([words]) => words.test(reason))?.[1] ?? 'Change that, if you can, or leave it drawn by itself.';
}
