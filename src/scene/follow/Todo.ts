import { type ObjectRecord, QUEUED, TASKS } from '../objects/ObjectRecord.js';

/** The records of objects with tasks for the next update, each once; the bits of a record tell the tasks. */
export class Todo {
  /** Records in the order of their first task. Some may have no task left, or their object has gone. */
  records: ObjectRecord[] = [];
  /** All tasks that any of the records may have. */
  #tasks = 0;

  add(record: ObjectRecord, task: number): void {
    if (!record.has(QUEUED)) this.records.push(record);
    record.bits |= QUEUED | task;
    this.#tasks |= task;
  }

  /** Runs a task for all records that have it or get it meanwhile; after an exception the records left keep it. */
  each(task: number, work: (record: ObjectRecord) => void): void {
    while ((this.#tasks & task) !== 0) {
      this.#tasks &= ~task;
      for (const record of this.records) {
        if (!record.has(task)) continue;
        record.bits &= ~task;
        let isDone = false;
        try {
          work(record);
          isDone = true;
        } finally {
          if (!isDone) this.add(record, task);
        }
      }
    }
  }

  /** The records that have a task now. The list is the caller's. */
  having(task: number): ObjectRecord[] {
    return (this.#tasks & task) === 0 ? [] : this.records.filter((record) => record.has(task));
  }

  /** Drops the records without tasks. */
  sweep(): void {
    const { records } = this;
    // A new list, as a caller may be iterating over the old one.
    this.records = [];
    this.#tasks = 0;
    for (const record of records) {
      if ((record.bits & TASKS) === 0) record.bits &= ~QUEUED;
      else {
        this.records.push(record);
        this.#tasks |= record.bits & TASKS;
      }
    }
  }

  clear(): void {
    this.records = [];
    this.#tasks = 0;
  }
}
