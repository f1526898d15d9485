import * as THREE from 'three';

type Texts = Readonly<Record<string, string>>;

/** The chunks of three's shaders. Builds of three without `WebGLRenderer` have none. */
export const shaderChunks: Texts = (THREE as { ShaderChunk?: Texts }).ShaderChunk ?? {};

/**
 * Digests of the texts that matter to batches, shadows and occluders, by revision. Without a digest: the texts at the
 * time when the library loads count as three's, even if patched.
 */
export const DIGESTS: Readonly<Record<'batches' | 'shadows' | 'surfaces', Readonly<Record<string, number>>>> = {
  batches: { 186: 22185, 187: 51935 },
  shadows: { 186: 56912, 187: 56500 },
  surfaces: { 186: 49516, 187: 6665 },
};

export function digestOf(text: string): number {
  let digest = 0;
  // Some builds drop comments and white space.
  for (const letter of text.replace(/\/\/.*|\s/g, '')) digest = (31 * digest + letter.charCodeAt(0)) % 65521;
  return digest;
}

/** True for a text with the digest known for this revision of three, and for any text in other revisions. */
export function isKnownText(text: string, digests: Readonly<Record<string, number>>): boolean {
  return !(THREE.REVISION in digests) || digests[THREE.REVISION] === digestOf(text);
}

const digestsOfTexts: string[] = [];
let version = 0;

/**
 * A number that grows with each change of the chunks. Enumerated properties are read by their position in the object,
 * in a tenth of the time that computed names take.
 */
function versionOfTexts(chunks: Texts): number {
  let count = 0;
  let isSame = true;
  for (const name in chunks) {
    const text = chunks[name];
    isSame &&= digestsOfTexts[count] === text;
    digestsOfTexts[count++] = text;
  }
  if (!isSame || digestsOfTexts.length > count) version++;
  digestsOfTexts.length = count;
  return version;
}

/** three's shaders. Builds of three without `WebGLRenderer` have none, and do not show shaders of another build. */
const shaders = (THREE as { ShaderLib?: object }).ShaderLib as Readonly<Record<string, Texts>> | undefined;
export const areShadersSeen: boolean = shaders !== undefined;

/** A text of a shader, the property that holds it, and whether vertices go through it. */
interface ShaderText {
  readonly of: Texts;
  readonly name: string;
  readonly text: string;
  readonly isOfVertices: boolean;
}

/** Tells whether the shaders of some materials, with the chunks that they include, are three's own. */
export class KnownShaders {
  readonly #kinds: readonly string[];
  readonly #read: (texts: readonly ShaderText[]) => string;
  #version = versionOfTexts(shaderChunks);
  #texts: readonly ShaderText[];
  /** The texts as they were when this object was made. */
  readonly loaded: string;
  readonly #digests: Readonly<Record<string, number>>;
  #areKnown: boolean;
  /** Whether the renderer given to {@link refresh} last compiles these shaders: `WebGPURenderer` compiles nodes. */
  areCompiled = true;
  /** Grows whenever {@link refresh} finds a change. */
  changes = 0;

  /**
   * @param read Joins the texts that matter.
   * @param digests Digests of the joined texts, by revision of three.
   */
  constructor(
    kinds: readonly string[],
    read: (texts: readonly ShaderText[]) => string,
    digests: Readonly<Record<string, number>>,
  ) {
    this.#kinds = kinds;
    this.#read = read;
    this.#texts = this.#find();
    this.loaded = read(this.#texts);
    this.#digests = digests;
    this.#areKnown = areShadersSeen && isKnownText(this.loaded, digests);
  }

  /** Whether all shaders are three's own, by the last call of {@link refresh}. */
  get areOwn(): boolean {
    return this.#areKnown || !this.areCompiled;
  }

  /** Searches the shaders for patches, and returns `areOwn`. Call it in each picture, with the renderer. */
  refresh({ isWebGLRenderer }: { readonly isWebGLRenderer?: boolean }): boolean {
    const areCompiled = isWebGLRenderer === true;
    if (areCompiled !== this.areCompiled) this.changes++;
    this.areCompiled = areCompiled;
    const version = versionOfTexts(shaderChunks);
    const isAsSeen = ({ of, name, text }: ShaderText): boolean => of === shaderChunks || of[name] === text;
    if (version === this.#version && this.#texts.every(isAsSeen)) return this.areOwn;
    this.changes++;
    this.#version = version;
    this.#texts = this.#find();
    const text = this.#read(this.#texts);
    // In an unknown revision the texts found when this object was made count as three's.
    this.#areKnown = THREE.REVISION in this.#digests ? isKnownText(text, this.#digests) : text === this.loaded;
    return this.areOwn;
  }

  #find(): ShaderText[] {
    const found = new Map<string, ShaderText>();
    const add = (of: Texts | undefined, name: string, isOfVertices: boolean, key: string): void => {
      const text = of?.[name];
      if (of === undefined || text === undefined || found.has(key)) return;
      found.set(key, { of, name, text, isOfVertices });
      for (const [, chunk] of text.matchAll(/#include +<(.+?)>/g)) {
        add(shaderChunks, chunk, isOfVertices, `${isOfVertices} ${chunk}`);
      }
    };
    for (const kind of this.#kinds) {
      add(shaders?.[kind], 'vertexShader', true, `true ${kind} shader`);
      add(shaders?.[kind], 'fragmentShader', false, `false ${kind} shader`);
    }
    return [...found.values()];
  }
}

export function withoutComments(text: string): string {
  return text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
}

/** A line of a shader that begins or ends a block. */
const DIRECTIVE = /^\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)/;

/**
 * The part of a text that is compiled if some names are not defined: without the blocks under conditions on such names.
 * @param isUndefined Called with each name in a condition; true for a name that is not defined.
 */
export function compiledWithout(isUndefined: (name: string) => boolean, text: string): string {
  const lines: string[] = [];
  // For each block around a line: whether any condition is left, and whether the present branch is left out.
  const open: { isAsked: boolean; isOut: boolean }[] = [];
  for (const line of text.split('\n')) {
    const [, word, rest] = DIRECTIVE.exec(line) ?? [];
    if (word?.startsWith('if')) open.push({ isAsked: false, isOut: false });
    const block = open.at(-1);
    const isKept = open.slice(0, word === undefined ? undefined : -1).every(({ isOut }) => !isOut);
    if (word === undefined || block === undefined) {
      if (isKept) lines.push(line);
    } else if (word === 'endif' || word === 'else') {
      if (isKept && block.isAsked) lines.push(`#${word}`);
      block.isOut = !block.isAsked && !block.isOut;
      if (word === 'endif') open.pop();
    } else {
      const terms = (word.endsWith('def') ? `defined ${rest}` : rest).split('||');
      const asked = terms.filter((term) => !term.split('&&').some((factor) => asksFor(isUndefined, factor)));
      block.isOut = asked.length === 0 && word !== 'ifndef';
      if (asked.length === 0) continue;
      const start = block.isAsked ? 'elif' : 'if';
      block.isAsked = true;
      if (isKept) lines.push(`#${start} ${word === 'ifndef' ? '!' : ''}${asked.join('||')}`);
    }
  }
  return lines.join('\n');
}

function asksFor(isAsked: (name: string) => boolean, factor: string): boolean {
  const [, name] = /^\s*defined\s*\(?\s*(\w+)\s*\)?\s*$/.exec(factor) ?? [];
  return name !== undefined && isAsked(name);
}
