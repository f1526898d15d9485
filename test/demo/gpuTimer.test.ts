import type { WebGLRenderer } from 'three';
import { expect, it } from 'vitest';
import { GpuTimer } from '../../demo/measure/GpuTimer.js';
import type { Meter } from '../../demo/measure/Meter.js';

interface Query {
  nanoseconds: number | null;
}

/** A context whose queries get their results from the test. */
function context(isSupported = true) {
  const state = { isDisjoint: false, isLost: false, queries: [] as Query[], active: null as Query | null };
  const gl = {
    QUERY_RESULT: 1,
    QUERY_RESULT_AVAILABLE: 2,
    createQuery: () => {
      state.queries.push({ nanoseconds: null });
      return state.queries.at(-1);
    },
    beginQuery: (_: number, query: Query) => {
      state.active = query;
    },
    endQuery: () => {
      state.active = null;
    },
    isQuery: () => !state.isLost,
    getParameter: () => state.isDisjoint,
    getQueryParameter: ({ nanoseconds }: Query, name: number) => (name === 1 ? nanoseconds : nanoseconds !== null),
    deleteQuery: (query: Query) => state.queries.splice(state.queries.indexOf(query), 1),
  };
  const renderer = { extensions: { has: () => isSupported }, getContext: () => gl } as unknown as WebGLRenderer;
  const times: number[] = [];
  const meter = { add: (time: number) => times.push(time) } as unknown as Meter;
  const timer = new GpuTimer();
  const picture = () => timer.time(renderer, meter, () => state.active !== null);
  return { state, times, timer, picture };
}

it('asks about each picture, and takes the answers in order, some pictures later', () => {
  const { state, times, timer, picture } = context();
  expect([picture(), picture(), state.active]).toEqual([true, true, null]);
  const [first, second] = state.queries as [Query, Query];
  second.nanoseconds = 7e6;
  picture();
  expect(times).toEqual([]);
  first.nanoseconds = 5e6;
  picture();
  expect(times).toEqual([5, 7]);
  expect([state.queries.length, timer.isSupported]).toEqual([2, true]);
});

it('drops what was interrupted or lost, and keeps few questions open', () => {
  for (const way of ['isDisjoint', 'isLost'] as const) {
    const { state, times, picture } = context();
    for (let i = 0; i < 20; i++) picture();
    expect(state.queries).toHaveLength(8);
    for (const query of state.queries) query.nanoseconds = 1;
    state[way] = true;
    picture();
    expect([state.queries.length, times]).toEqual([1, []]);
  }
});

it('draws without a question where the context cannot answer', () => {
  const { state, timer, picture } = context(false);
  expect([picture(), state.queries, timer.isSupported]).toEqual([false, [], false]);
});
