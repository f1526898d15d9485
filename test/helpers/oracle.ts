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

  /** First contacts of a moving box by time, then id: per axis when the gap closes and when it opens again. */
  sweep(box: ArrayLike<number>, motion: ArrayLike<number>): [number, number][] {
    const hits: [number, number][] = [];
    for (const [id, b] of this.boxes) {
      let enter = 0;
      let leave = 1;
      for (let c = 0; c < 3; c++) {
        if (motion[c] === 0) {
          if (box[c] > b[c + 3] || box[c + 3] < b[c]) leave = Number.NEGATIVE_INFINITY;
          continue;
        }
        const closes = (motion[c] > 0 ? b[c] - box[c + 3] : b[c + 3] - box[c]) * (1 / motion[c]);
        const opens = (motion[c] > 0 ? b[c + 3] - box[c] : b[c] - box[c + 3]) * (1 / motion[c]);
        enter = Math.max(enter, closes);
        leave = Math.min(leave, opens);
      }
      if (enter <= leave && enter < Number.POSITIVE_INFINITY) hits.push([enter, id]);
    }
    return hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }

  /** The nearest boxes by distance, then id. */
  nearest(at: number[], count: number, maxDistance: number): [number, number][] {
    const point = new Vector3().fromArray(at);
    const all: [number, number][] = [];
    for (const [id, b] of this.boxes) all.push([toBox3(b).distanceToPoint(point), id]);
    return all
      .filter(([distance]) => distance <= maxDistance)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .slice(0, count);
  }

  /** Pairs of boxes that touch, lower id first. */
  pairs(): string[] {
    const all = [...this.boxes].sort((a, b) => a[0] - b[0]);
    const found: string[] = [];
    all.forEach(([a, box], i) => {
      for (let j = i + 1; j < all.length; j++) if (touches(box, all[j][1])) found.push(`${a}-${all[j][0]}`);
    });
    return found;
  }

  /** Pairs of a box here and one of the others. */
  pairsWith(others: Map<number, number[]>): string[] {
    const found: string[] = [];
    for (const [a, box] of this.boxes)
      for (const [b, other] of others) if (touches(box, other)) found.push(`${a}-${b}`);
    return found;
  }

  #filter(test: (box: Box3) => boolean): number[] {
    const ids: number[] = [];
    for (const [id, b] of this.boxes) if (test(toBox3(b))) ids.push(id);
    return ids.sort((a, b) => a - b);
  }
}

function touches(a: number[], b: number[]): boolean {
  const onGround = a[0] <= b[3] && b[0] <= a[3] && a[2] <= b[5] && b[2] <= a[5];
  return onGround && a[1] <= b[4] && b[1] <= a[4];
}

export function toBox3(b: ArrayLike<number>): Box3 {
  return new Box3(new Vector3(b[0], b[1], b[2]), new Vector3(b[3], b[4], b[5]));
}

function toFrustum(p: ArrayLike<number>): Frustum {
  const plane = (i: number): Plane => new Plane(new Vector3(p[4 * i], p[4 * i + 1], p[4 * i + 2]), p[4 * i + 3]);
  return new Frustum(plane(0), plane(1), plane(2), plane(3), plane(4), plane(5));
}
