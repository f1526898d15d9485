/** By what is said of an object that is drawn by itself, what can be done about it. The first that fits counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/no picture has shown/, 'Nothing: it joins once a picture has shown it.'],
  [/next picture|joined with/, 'Nothing: this is decided in one of the next pictures.'],
  [/^too few/, 'Share materials, attributes and flags with others, or lower the option batch.atLeast.'],
  [/no more memory/, 'Raise the option batch.maxBytes, or share geometries.'],
  [/not to be drawn in batches/, 'Call index.batch(object, true) with it, or with an object above it.'],
  [/shears/, 'Scale the geometry itself instead of an object above a rotated one.'],
  [/drawn with all that lies in it/, 'Take it out of there, if it can stand alone.'],
  [/only meshes/, 'Nothing: lines, points and sprites are drawn one by one.'],
  [/instances of its own|geometry has instances/, 'Nothing: its instances are one draw call already.'],
  [/SkinnedMesh/, 'Nothing: skinned meshes are drawn one by one.'],
  [
    /material has its own on(BeforeCompile)|material has its own \w*Node|does not know batches/,
    "Use a plain material of three's, or accept it by the option batch.accept if its shader needs nothing of a single object.",
  ],
  [/its own on(Before|After)/, 'Delete that method, and do its work once a frame.'],
  [/customDepthMaterial/, "Delete them where three's own shadows will do."],
  [/occlusionTest/, 'Set occlusionTest to false.'],
  [/wireframe/, 'Set wireframe to false, or draw LineSegments with a WireframeGeometry.'],
  [/ObjectSpaceNormalMap/, 'Use a normal map in tangent space.'],
  [/alphaHash/, 'Use alphaTest, or transparent: true.'],
  [/transmission/, 'Set transmission to 0, and opacity where plain transparency will do.'],
  [/DoubleSide/, 'Set forceSinglePass to true, or side to FrontSide.'],
  [/blending/, 'Set transparent to true, or blending to NormalBlending.'],
  [/stencilWrite/, 'Set stencilWrite to false.'],
  [/colorWrite/, 'Set colorWrite to true, or visible to false.'],
  [/depthFunc/, 'Set depthFunc to LessEqualDepth.'],
  [/depthTest/, 'Set depthTest and depthWrite to true, or transparent to true.'],
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
