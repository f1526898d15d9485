/** Types of GLSL, as three's own table of setters has them. */
const TYPES: { [name: string]: number } = {
  float: 0x1406,
  vec2: 0x8b50,
  vec3: 0x8b51,
  vec4: 0x8b52,
  mat3: 0x8b5b,
  mat4: 0x8b5c,
  int: 0x1404,
  uint: 0x1405,
  bool: 0x8b56,
  sampler2D: 0x8b5e,
  samplerCube: 0x8b60,
  sampler2DShadow: 0x8b62,
  samplerCubeShadow: 0x8dc5,
  isampler2D: 0x8dca,
  usampler2D: 0x8dd2,
};

/** Constants are this far apart, as three adds small numbers to some: TEXTURE0 + 3. */
const STEP = 1 << 12;

interface Variable {
  name: string;
  type: number;
  size: number;
}

interface Program {
  sources: string[];
  uniforms: Variable[];
  attributes: Variable[];
}

interface Members {
  [name: string]: unknown;
}

/**
 * A canvas whose WebGL 2 context draws nothing and answers immediately, so that only JavaScript is measured. Programs
 * have the uniforms and attributes that their shaders use under their defines: three prepares and sets as many values
 * as with a graphics card.
 */
export function makeStubCanvas(): HTMLCanvasElement {
  const canvas: Members = { width: 4, height: 3, style: {}, addEventListener() {}, removeEventListener() {} };
  const context = Object.create(contextMethods(canvas));
  canvas.getContext = () => context;
  return canvas as unknown as HTMLCanvasElement;
}

/** As in browsers, methods and constants lie on a prototype, whose members V8 finds quickly. */
function contextMethods(canvas: Members): Members {
  const names: string[] = [];
  const methods: Members = membersOnDemand(names);
  const extensions: Members = { WEBGL_multi_draw: membersOnDemand(names), EXT_color_buffer_float: {} };
  const parameters: Members = { VERSION: 'WebGL 2.0', SHADING_LANGUAGE_VERSION: '3.00' };
  return Object.assign(methods, {
    canvas,
    drawingBufferWidth: canvas.width,
    drawingBufferHeight: canvas.height,
    getContextAttributes: () => ({}),
    getExtension: (name: string) => extensions[name] ?? null,
    getSupportedExtensions: () => Object.keys(extensions),
    getParameter(constant: number) {
      const name = names[constant / STEP] ?? '';
      if (/BOX|VIEWPORT/.test(name)) return new Int32Array(4);
      return parameters[name] ?? (name.endsWith('SIZE') ? 8192 : 16);
    },
    getShaderPrecisionFormat: () => ({ rangeMin: 127, rangeMax: 127, precision: 23 }),
    isContextLost: () => false,
    checkFramebufferStatus: () => methods.FRAMEBUFFER_COMPLETE,
    createProgram: (): Program => ({ sources: [], uniforms: [], attributes: [] }),
    shaderSource: (shader: { source: string }, source: string) => {
      shader.source = source;
    },
    attachShader: (program: Program, shader: { source: string }) => program.sources.push(shader.source),
    linkProgram(program: Program) {
      const [vertex, fragment] = program.sources.map(preprocess);
      program.attributes = attributesOf(vertex);
      program.uniforms = uniformsOf(vertex);
      const known = new Set(program.uniforms.map(({ name }) => name));
      program.uniforms.push(...uniformsOf(fragment).filter(({ name }) => !known.has(name)));
    },
    getProgramParameter(program: Program, what: unknown) {
      if (what === methods.ACTIVE_UNIFORMS) return program.uniforms.length;
      return what === methods.ACTIVE_ATTRIBUTES ? program.attributes.length : true;
    },
    getShaderParameter: () => true,
    getProgramInfoLog: () => '',
    getShaderInfoLog: () => '',
    getActiveUniform: (program: Program, i: number) => program.uniforms[i],
    getActiveAttrib: (program: Program, i: number) => program.attributes[i],
    getUniformLocation: (_program: Program, name: string) => ({ name }),
    getAttribLocation: (program: Program, name: string) => program.attributes.findIndex((one) => one.name === name),
  });
}

/**
 * An object that gets each member when it is first asked for: constants are numbers, whose names go to `names`, `create…`
 * makes objects, and all else does nothing.
 */
function membersOnDemand(names: string[]): Members {
  const make = (target: object, name: string | symbol): unknown => {
    if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
    if (/^[A-Z]/.test(name)) owner[name] = STEP * (names.push(name) - 1);
    else owner[name] = name.startsWith('create') ? () => ({}) : () => {};
    return owner[name];
  };
  const owner: Members = Object.create(new Proxy({}, { get: make }));
  return owner;
}

/** The lines of a shader that its `#if`, `#ifdef` and the like let through. */
function preprocess(source: string): string {
  const defines = new Map<string, string>();
  const open: { isOn: boolean; wasOn: boolean }[] = [];
  const isOn = (): boolean => open.every((branch) => branch.isOn);
  const isTrue = (expression: string): boolean => {
    const numbers = expression
      .replace(/defined\s*\(\s*(\w+)\s*\)/g, (_, name) => (defines.has(name) ? '1' : '0'))
      .replace(/[A-Za-z_]\w*/g, (name) => String(Number(defines.get(name)) || 0));
    return Boolean(new Function(`return ${numbers}`)());
  };
  const lines: string[] = [];
  for (const line of source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '').split('\n')) {
    const [, word, rest] = /^\s*#\s*(\w+)\s*(.*?)\s*$/.exec(line) ?? [];
    const top = open[open.length - 1];
    if (word === undefined) {
      if (isOn()) lines.push(line);
    } else if (word.startsWith('if')) {
      const isTaken = word === 'if' ? isTrue(rest) : defines.has(rest) === (word === 'ifdef');
      open.push({ isOn: isTaken, wasOn: isTaken });
    } else if (word === 'elif' || word === 'else') {
      top.isOn = !top.wasOn && (word === 'else' || isTrue(rest));
      top.wasOn ||= top.isOn;
    } else if (word === 'endif') {
      open.pop();
    } else if (word === 'define' && isOn()) {
      const [, name, value] = /^(\w+)\s*(.*)$/.exec(rest) as string[];
      defines.set(name, value);
    }
  }
  return lines.join('\n');
}

/** Uniforms that are used: compilers drop the others. Structures, as those of lights, count by their fields. */
function uniformsOf(shader: string): Variable[] {
  const fields = new Map<string, [type: string, name: string][]>();
  for (const [, name, body] of shader.matchAll(/struct\s+(\w+)\s*\{([^}]*)\}/g)) {
    fields.set(
      name,
      [...body.matchAll(/(\w+)\s+(\w+)\s*;/g)].map(([, type, field]) => [type, field]),
    );
  }
  const found: Variable[] = [];
  const declared = shader.matchAll(/uniform\s+(?:(?:lowp|mediump|highp)\s+)?(\w+)\s+(\w+)\s*(?:\[\s*(\w+)\s*\])?\s*;/g);
  for (const [, type, name, length] of declared) {
    if (!isUsed(shader, name)) continue;
    const size = Number(length ?? 1) || 1;
    const members = fields.get(type);
    if (members === undefined) {
      found.push({ name: length === undefined ? name : `${name}[0]`, type: TYPES[type], size });
      continue;
    }
    for (let i = 0; i < size; i++) {
      const place = length === undefined ? name : `${name}[${i}]`;
      found.push(...members.map(([of, field]) => ({ name: `${place}.${field}`, type: TYPES[of], size: 1 })));
    }
  }
  return found;
}

function attributesOf(shader: string): Variable[] {
  return [...shader.matchAll(/^\s*(?:attribute|in)\s+(\w+)\s+(\w+)\s*;/gm)]
    .filter(([, , name]) => isUsed(shader, name))
    .map(([, type, name]) => ({ name, type: TYPES[type], size: 1 }));
}

/** Whether a name occurs again after it was declared. */
function isUsed(shader: string, name: string): boolean {
  return (shader.match(new RegExp(`\\b${name}\\b`, 'g')) as string[]).length > 1;
}
