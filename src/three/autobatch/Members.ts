import type { Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { Member } from './Member.js';

/** The meshes of a scene that passes have seen. */
export class Members {
  readonly #all = new Map<Object3D, Member>();
  /** By the id of the entry, or of one that had the id before. */
  readonly #byId: (Member | undefined)[] = [];
  /** Called for a mesh whose record is another: it went and came again. */
  readonly #onGone: (member: Member) => void;

  constructor(onGone: (member: Member) => void) {
    this.#onGone = onGone;
  }

  get all(): Iterable<Member> {
    return this.#all.values();
  }

  get(object: Object3D): Member | undefined {
    return this.#all.get(object);
  }

  /** The mesh of an entry. */
  at(id: number, record: ObjectRecord): Member {
    const known = this.#byId[id];
    if (known !== undefined && known.record === record) return known;
    // Filled up one by one, so that the array stays dense.
    while (this.#byId.length < id) this.#byId.push(undefined);
    const member = this.#of(record);
    member.entryId = id;
    this.#byId[id] = member;
    return member;
  }

  remove(object: Object3D): void {
    const member = this.#all.get(object);
    if (member === undefined) return;
    this.#all.delete(object);
    if (this.#byId[member.entryId] === member) this.#byId[member.entryId] = undefined;
    this.#onGone(member);
  }

  clear(): void {
    for (const object of [...this.#all.keys()]) this.remove(object);
    this.#byId.length = 0;
  }

  #of(record: ObjectRecord): Member {
    const known = this.#all.get(record.object);
    if (known?.record === record) return known;
    this.remove(record.object);
    const member = new Member(record);
    this.#all.set(record.object, member);
    return member;
  }
}
