// As much of vitest as the tests of core, query and structures use, without its watchers, workers and reports.
import * as matchers from '@vitest/expect';
import { fn, restoreAllMocks, spyOn } from '@vitest/spy';

const { chai } = matchers;
chai.use(matchers.JestExtend);
chai.use(matchers.JestChaiExpect);
chai.use(matchers.JestAsymmetricMatchers);
Object.defineProperty(globalThis, matchers.JEST_MATCHERS_OBJECT, {
  value: globalThis[matchers.JEST_MATCHERS_OBJECT],
  configurable: true,
});

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, matchers.customMatchers ?? {});

/** Tests of the file that was imported last. */
export const tests = [];
/** Thrown by what is not there: such a test is left out. */
export class Skipped extends Error {}

let before = [];
let after = [];

/** What the present test cleans up. */
export const cleanups = [];

export function onTestFinished(clean) {
  cleanups.push(clean);
}

/** What a file prepares and cleans up at its top is for its own tests alone. */
export function startFile() {
  before = [];
  after = [];
}

export function it(name, options, run = options) {
  tests.push({ name, run, before, after });
}
it.each = (cases) => (name, options, run) => {
  for (const one of cases) it(`${name} ${label(one)}`, () => (run ?? options)(...[one].flat(1)));
};

const skipped = () => {};
skipped.each = () => skipped;
it.skipIf = (isSkipped) => (isSkipped ? skipped : it);

export function describe(_name, body) {
  const outer = { before, after };
  before = [...before];
  after = [...after];
  body();
  ({ before, after } = outer);
}
describe.each = (cases) => (name, body) => {
  for (const one of cases) describe(name, () => body(...[one].flat(1)));
};

export function beforeEach(prepare) {
  before.push(prepare);
}

export function afterEach(clean) {
  after.push(clean);
}

const missing = () => {
  throw new Skipped();
};
export const vi = {
  resetModules: missing,
  stubGlobal: missing,
  unstubAllGlobals: () => {},
  fn,
  spyOn,
  restoreAllMocks,
};
export { beforeEach as beforeAll, it as test };

/** What tells a case from the others: a name it bears, or its first words. */
function label(one) {
  const [first] = [one].flat(1);
  return typeof first === 'object' ? String(first?.label ?? '') : String(first);
}
