import { BoxVolume } from '../../core/shapes/BoxVolume.js';
import { Capsule } from '../../core/shapes/Capsule.js';
import { OrientedBox } from '../../core/shapes/OrientedBox.js';
import { PlanesVolume } from '../../core/shapes/PlanesVolume.js';
import { Ray, type RayLike } from '../../core/shapes/Ray.js';
import { Sector, type SectorLike } from '../../core/shapes/Sector.js';

/**
 * What callers ask, read into memory that is used over and over.
 *
 * One set serves all indices, as a walk is done with its question before user code runs again. But arguments may have
 * getters, and these may ask something themselves while a question is being read: that is read into the next set.
 */
class QueryScratch {
  readonly box = new BoxVolume();
  readonly planes = new PlanesVolume();
  readonly ray = new Ray();
  readonly orientedBox = new OrientedBox();
  readonly capsule = new Capsule();
  readonly sector = new Sector();
}

const sets = [new QueryScratch()];
/** Questions that are being read. */
let depth = 0;

function begin(): QueryScratch {
  if (depth === sets.length) sets.push(new QueryScratch());
  return sets[depth++];
}

// One function for each question: one for all would meet many kinds of them, and allocate a list of its arguments.

export function readBoxVolume(box: ArrayLike<number>, where: string): BoxVolume {
  const question = begin().box;
  try {
    question.set(box, where);
  } finally {
    depth--;
  }
  return question;
}

export function readPlanes(planes: ArrayLike<number>, where: string): PlanesVolume {
  const question = begin().planes;
  try {
    question.set(planes, where);
  } finally {
    depth--;
  }
  return question;
}

export function readRay(ray: RayLike, where: string): Ray {
  const question = begin().ray;
  try {
    question.set(ray, where);
  } finally {
    depth--;
  }
  return question;
}

export function readSegment(from: ArrayLike<number>, to: ArrayLike<number>, where: string): Ray {
  const question = begin().ray;
  try {
    question.setSegment(from, to, where);
  } finally {
    depth--;
  }
  return question;
}

export function readSweep(box: ArrayLike<number>, motion: ArrayLike<number>, where: string): Ray {
  const question = begin().ray;
  try {
    question.setSweep(box, motion, where);
  } finally {
    depth--;
  }
  return question;
}

export function readOrientedBox(
  center: ArrayLike<number>,
  halfSize: ArrayLike<number>,
  axes: ArrayLike<number>,
  where: string,
): OrientedBox {
  const question = begin().orientedBox;
  try {
    question.set(center, halfSize, axes, where);
  } finally {
    depth--;
  }
  return question;
}

export function readCapsule(from: ArrayLike<number>, to: ArrayLike<number>, radius: number, where: string): Capsule {
  const question = begin().capsule;
  try {
    question.set(from, to, radius, where);
  } finally {
    depth--;
  }
  return question;
}

export function readSector(sector: SectorLike, where: string): Sector {
  const question = begin().sector;
  try {
    question.set(sector, where);
  } finally {
    depth--;
  }
  return question;
}
