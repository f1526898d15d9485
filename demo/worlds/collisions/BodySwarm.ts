import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, Sphere } from 'three';
import { COLUMNS, numberTexture } from '../../views/drawings/NumberedMesh.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Bodies } from './simulation/Bodies.js';

/** Bits of the state of a body. */
export const COLLIDING = 1;
export const CANDIDATE = 2;
export const HOVERED = 4;

const CORNERS = 8;
/**
 * Corners by the bits of their number: 1 for the upper end in x, 2 in y, 4 in z. The first two triangles are the top.
 */
const SIDES = [
  2, 6, 7, 2, 7, 3, 0, 1, 5, 0, 5, 4, 1, 3, 7, 1, 7, 5, 0, 4, 6, 0, 6, 2, 4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1,
];
const TOP = 6;

/**
 * Draws all bodies in one call. A frame writes four numbers a body into a texture, and the vertex shader makes the
 * corners: without a graphics card that is many times as fast as instancing. In the plane only the tops are drawn.
 */
export class BodySwarm {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;
  /** Positions and states; sizes and angle. */
  #places = numberTexture(1);
  #shapes = numberTexture(1);
  #room = 0;
  #flat = false;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.boundingSphere = new Sphere();
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        places: { value: this.#places },
        shapes: { value: this.#shapes },
        colours: { value: [new Color(), new Color(), new Color(), new Color()] },
        inPlane: { value: false },
      },
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  paint({ culled, near, candidate, hovered }: Palette): void {
    [culled, near, candidate, hovered].forEach((colour, i) => {
      this.object.material.uniforms.colours.value[i].copy(colour);
    });
  }

  /** @param states The state bits of each body. */
  show(bodies: Bodies, states: Uint8Array): void {
    const { count, boxes, shapes } = bodies;
    const flat = bodies.dimensions === 2;
    this.#reserve(count, flat);
    const places = this.#places.image.data;
    for (let i = 0, o = 0, p = 0; i < count; i++, o += 6, p += 4) {
      places[p] = (boxes[o] + boxes[o + 3]) / 2;
      places[p + 1] = (boxes[o + 1] + boxes[o + 4]) / 2;
      places[p + 2] = (boxes[o + 2] + boxes[o + 5]) / 2;
      places[p + 3] = states[i];
    }
    this.#shapes.image.data.set(shapes.subarray(0, 4 * count));
    this.#places.needsUpdate = true;
    this.#shapes.needsUpdate = true;
    this.object.geometry.setDrawRange(0, count * (flat ? TOP : SIDES.length));
  }

  /** Frees the textures; the rest goes with the scene. */
  dispose(): void {
    this.#places.dispose();
    this.#shapes.dispose();
  }

  #reserve(count: number, flat: boolean): void {
    if (count <= this.#room && flat === this.#flat) return;
    this.#flat = flat;
    this.#room = Math.ceil(count > this.#room ? 1.5 * count : count);
    this.#places.dispose();
    this.#shapes.dispose();
    this.#places = numberTexture(this.#room);
    this.#shapes = numberTexture(this.#room);
    const { uniforms } = this.object.material;
    uniforms.places.value = this.#places;
    uniforms.shapes.value = this.#shapes;
    uniforms.inPlane.value = flat;
    // In 2D bodies are translucent, so that overlaps show.
    this.object.material.depthTest = !flat;
    this.object.material.transparent = flat;
    const pattern = flat ? TOP : SIDES.length;
    const index = new Uint32Array(pattern * this.#room);
    for (let i = 0; i < index.length; i++) index[i] = CORNERS * Math.floor(i / pattern) + SIDES[i % pattern];
    this.object.geometry.dispose();
    this.object.geometry.setIndex(new BufferAttribute(index, 1));
  }
}

const vertexShader = /* glsl */ `
  uniform highp sampler2D places;
  uniform highp sampler2D shapes;
  varying vec3 local;
  varying vec3 seen;
  varying float state;

  void main() {
    int body = gl_VertexID / ${CORNERS};
    int corner = gl_VertexID % ${CORNERS};
    ivec2 at = ivec2(body % ${COLUMNS}, body / ${COLUMNS});
    vec4 place = texelFetch(places, at, 0);
    vec4 shape = texelFetch(shapes, at, 0);
    local = vec3(corner & 1, corner >> 1 & 1, corner >> 2) * 2.0 - 1.0;
    vec3 offset = local * shape.xyz;
    float c = cos(shape.w);
    float s = sin(shape.w);
    offset.xz = vec2(offset.x * c - offset.z * s, offset.x * s + offset.z * c);
    vec4 view = viewMatrix * vec4(place.xyz + offset, 1.0);
    seen = view.xyz;
    state = place.w;
    gl_Position = projectionMatrix * view;
  }
`;

const fragmentShader = /* glsl */ `
  uniform vec3 colours[4];
  uniform bool inPlane;
  varying vec3 local;
  varying vec3 seen;
  varying float state;

  void main() {
    int bits = int(state + 0.5);
    bool colliding = (bits & ${COLLIDING}) != 0;
    bool candidate = (bits & ${CANDIDATE}) != 0;
    vec3 fill = colliding ? colours[1] : candidate ? colours[2] : colours[0];

    // On a face one coordinate is 1; the greater of the others tells how near the edge is, in pixels by its slope.
    vec3 a = abs(local);
    float toEdge = max(min(a.x, a.y), min(max(a.x, a.y), a.z));
    float pixels = (1.0 - toEdge) / max(fwidth(toEdge), 1e-5);
    bool rim = pixels < 1.0 && fwidth(toEdge) < 0.5;
    bool broadRim = pixels < 2.5;

    if (!inPlane) {
      vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
      fill *= 0.62 + 0.38 * abs(dot(normal, normalize(vec3(0.25, 0.85, 0.45))));
    }
    bool hovered = (bits & ${HOVERED}) != 0;
    bool marked = broadRim && (hovered || (colliding && candidate));
    if (marked) fill = hovered ? colours[3] : colours[2];
    else if (hovered) fill = mix(fill, colours[3], 0.25);
    else if (rim && !inPlane) fill *= 0.6;
    gl_FragColor = vec4(fill, inPlane && !rim && !marked ? 0.6 : 1.0);
    #include <colorspace_fragment>
  }
`;
