import { checkEntity, checkFinite, readFinite, readPayload } from './bytes/EntityRecord.js';
import { inWords, readBoxes } from './checks.js';
import { GHOST, OWN } from './EntityTable.js';
import type { RegionState } from './RegionState.js';

/**
 * The entities of a region's own, as its user changes them. Arguments are read and checked before the first change; the code of
 * users that runs meanwhile, as a getter among numbers, may change the region.
 */
export class OwnEntities {
  readonly #state: RegionState;

  constructor(state: RegionState) {
    this.#state = state;
  }

  add(entity: number, box: ArrayLike<number>, payload: Uint8Array): number {
    checkEntity(entity, 'Region.add.entity');
    const own = readFinite(box, 'Region.add.box');
    const bytes = readPayload(payload, 'Region.add.payload');
    const { table, region } = this.#state;
    const item = table.itemOf(entity);
    if (item >= 0 && table.kind[item] !== GHOST) throw new RangeError(`Region.add.entity: there is ${entity} already`);
    return this.#state.enter(entity, OWN, region, item < 0 ? 1 : table.epoch[item] + 1, own, bytes);
  }

  move(entity: number, box: ArrayLike<number>): void {
    const own = readFinite(box, 'Region.move.box');
    const item = this.#itemOf(entity, 'Region.move.entity');
    this.#state.index.update(item, own);
    this.#state.noteHome(entity, own);
  }

  moveAll(entities: ArrayLike<number>, boxes: ArrayLike<number>): void {
    const where = 'Region.moveAll';
    if (entities === null || typeof entities !== 'object' || typeof entities.length !== 'number') {
      throw new TypeError(`${where}.entities: must be an array of numbers, got ${inWords(entities)}`);
    }
    const ids = entities instanceof Float64Array ? entities : Array.from(entities);
    const own = readBoxes(boxes, `${where}.boxes`);
    if (own.length !== 6 * ids.length) {
      throw new RangeError(`${where}: six numbers an entity, got ${own.length} numbers for ${ids.length} entities`);
    }
    const { moves, index, map } = this.#state;
    moves.begin();
    for (let i = 0; i < ids.length; i++) {
      checkFinite(own, 6 * i, 'Region.moveAll.boxes');
      moves.add(this.#itemOf(ids[i], 'Region.moveAll.entities'), own, 6 * i);
    }
    // A single region is home to all.
    if (map.count > 1) for (let i = 0; i < ids.length; i++) this.#state.noteHome(ids[i], own, 6 * i);
    moves.apply(index);
  }

  remove(entity: number): void {
    this.#state.drop(this.#itemOf(entity, 'Region.remove.entity'));
  }

  setPayload(entity: number, payload: Uint8Array): void {
    const own = readPayload(payload, 'Region.setPayload.payload');
    const item = this.#itemOf(entity, 'Region.setPayload.entity');
    this.#state.table.payload[item] = own;
  }

  #itemOf(entity: number, where: string): number {
    const item = this.#state.table.ownItemOf(entity);
    if (item < 0) throw new RangeError(`${where}: no entity of its own is ${inWords(entity)}`);
    return item;
  }
}
