import { FloatType, type LightShadow, type WebGLRenderer } from 'three';

const VERTEX = `#version 300 es
void main() {
  vec2 place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(place, 0, 1);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform highp sampler2D depths;
out highp vec4 bytes;
void main() {
  uint depth = floatBitsToUint(texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r);
  bytes = vec4(depth & 255u, depth >> 8 & 255u, depth >> 16 & 255u, depth >> 24) / 255.0;
}`;

type GL = WebGL2RenderingContext;

function makeProgram(gl: GL): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

/**
 * All depths of a shadow map, bit for bit, those of its faces one after the other; none for a map that has not been drawn. A
 * map may be compared with when it is read, so its depths are copied into another texture, and drawn from that as bytes.
 */
export function depthsOf(renderer: WebGLRenderer, { map }: LightShadow): Uint32Array {
  const gl = renderer.getContext() as GL;
  const known = map && (renderer.properties.get(map) as { __webglFramebuffer?: WebGLFramebuffer | WebGLFramebuffer[] });
  const from = known?.__webglFramebuffer;
  if (!map?.depthTexture || from === undefined) return new Uint32Array();
  const { width, height, depthTexture } = map;
  const format = depthTexture.type === FloatType ? gl.DEPTH_COMPONENT32F : gl.DEPTH_COMPONENT24;
  const program = makeProgram(gl);
  const faces = [from].flat();
  const all = new Uint32Array(faces.length * width * height);
  for (const [face, framebuffer] of faces.entries()) {
    const [depth, color] = [format, gl.RGBA8].map((one) => {
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, one, width, height);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      return texture;
    });
    const [copy, screen] = [gl.createFramebuffer(), gl.createFramebuffer()];
    gl.bindFramebuffer(gl.FRAMEBUFFER, copy);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
    gl.disable(gl.SCISSOR_TEST);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, screen);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0);
    gl.bindTexture(gl.TEXTURE_2D, depth);
    gl.viewport(0, 0, width, height);
    for (const test of [gl.DEPTH_TEST, gl.BLEND, gl.CULL_FACE, gl.STENCIL_TEST]) gl.disable(test);
    gl.colorMask(true, true, true, true);
    gl.bindVertexArray(null);
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of WebGL
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    all.set(new Uint32Array(bytes.buffer), face * width * height);
    for (const texture of [depth, color]) gl.deleteTexture(texture);
    for (const one of [copy, screen]) gl.deleteFramebuffer(one);
  }
  gl.deleteProgram(program);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  renderer.resetState();
  return all;
}

/** In how many texels two maps differ; all of them where their sizes do. */
export function otherTexels(a: Uint32Array, b: Uint32Array): number {
  if (a.length !== b.length) return Math.max(a.length, b.length);
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
