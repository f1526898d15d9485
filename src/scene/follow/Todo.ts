import { type ObjectRecord, QUEUED, TASKS } from '../objects/ObjectRecord.js';

/** The records that the next update has to do something with, each once; their bits tell the tasks. */
export class Todo {
  /** In the order in which they got the first of their tasks. Of some all tasks are done by now, or the object has gone. */
  records: ObjectRecord[] = [];
  /** All tasks that any of them may have. */
  #tasks = 0;

  add(record: ObjectRecord, task: number): void {
    if (!record.has(QUEUED)) this.records.push(record);
    record.bits |= QUEUED | task;
    this.#tasks |= task;
  }

  /** Does a task of all records that have it, also of those that get it meanwhile; after an exception the rest waits. */
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

  /** Those that have a task now. The list is the caller's. */
  having(task: number): ObjectRecord[] {
    return (this.#tasks & task) === 0 ? [] : this.records.filter((record) => record.has(task));
  }

  /** Forgets those without tasks. */
  sweep(): void {
    const { records } = this;
    // Whoever goes through the list meanwhile keeps it.
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
