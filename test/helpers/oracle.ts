import { Box3, Frustum, Plane, Sphere, Vector3 } from 'three';

/**
 * What the answers must be, by three's own math over plain boxes. It shares no code with the library, so agreement says
 * something about both. Boxes are kept by id.
 */
export class Oracle {
  readonly boxes = new Map<number, number[]>();

  box(query: ArrayLike<number>): number[] {
    const box = toBox3(query);
    return this.#filter((b) => b.intersectsBox(box));
  }

  point(x: number, y: number, z: number): number[] {
    const point = new Vector3(x, y, z);
    return this.#filter((b) => b.containsPoint(point));
  }

  sphere(x: number, y: number, z: number, radius: number): number[] {
    const sphere = new Sphere(new Vector3(x, y, z), radius);
    return this.#filter((b) => b.intersectsSphere(sphere));
  }

  frustum(planes: ArrayLike<number>): number[] {
    const frustum = toFrustum(planes);
    return this.#filter((b) => frustum.intersectsBox(b));
  }

  /** Of the boxes in the frustum those with all eight corners in front of all planes. */
  inside(planes: ArrayLike<number>): number[] {
    const frustum = toFrustum(planes);
    return this.#filter((b) => {
      for (const x of [b.min.x, b.max.x]) {
        for (const y of [b.min.y, b.max.y]) {
          for (const z of [b.min.z, b.max.z]) {
            const corner = new Vector3(x, y, z);
            if (!frustum.planes.every((plane) => plane.distanceToPoint(corner) >= 0)) return false;
          }
        }
      }
      return frustum.intersectsBox(b);
    });
  }

  /** Hits by distance, then id. Written for itself: three's `Ray` has neither near, far nor touching rays. */
  ray(origin: number[], direction: number[], near = 0, far = Number.POSITIVE_INFINITY, margin = 0): [number, number][] {
    const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
    const hits: [number, number][] = [];
    for (const [id, b] of this.boxes) {
      let enter = near;
      let leave = far;
      for (let c = 0; c < 3; c++) {
        const low = b[c] - margin;
        const high = b[c + 3] + margin;
        const d = direction[c] / length;
        if (d === 0) {
          if (origin[c] < low || origin[c] > high) leave = Number.NEGATIVE_INFINITY;
          continue;
        }
        const t0 = (b[c] - (origin[c] + margin)) * (1 / d);
        const t1 = (b[c + 3] - (origin[c] - margin)) * (1 / d);
        enter = Math.max(enter, Math.min(t0, t1));
        leave = Math.min(leave, Math.max(t0, t1));
      }
      if (enter <= leave) hits.push([enter, id]);
    }
    return hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }

  #filter(test: (box: Box3) => boolean): number[] {
    const ids: number[] = [];
    for (const [id, b] of this.boxes) if (test(toBox3(b))) ids.push(id);
    return ids.sort((a, b) => a - b);
  }
}

export function toBox3(b: ArrayLike<number>): Box3 {
  return new Box3(new Vector3(b[0], b[1], b[2]), new Vector3(b[3], b[4], b[5]));
}

function toFrustum(p: ArrayLike<number>): Frustum {
  const plane = (i: number): Plane => new Plane(new Vector3(p[4 * i], p[4 * i + 1], p[4 * i + 2]), p[4 * i + 3]);
  return new Frustum(plane(0), plane(1), plane(2), plane(3), plane(4), plane(5));
}
