import { cleanups, Skipped, startFile, tests } from './vitest.mjs';

// Runs the tests of some files in order, and tells which fails first.
for (const file of process.argv.slice(2)) {
  tests.length = 0;
  startFile();
  try {
    await import(file);
    for (const { name, run, before, after } of tests) {
      try {
        for (const prepare of before) await prepare();
        await run();
      } catch (error) {
        if (!(error instanceof Skipped)) throw new Error(`${name}: ${error.message}`);
      } finally {
        for (const clean of [...cleanups.splice(0), ...after]) clean();
      }
      process.send('alive');
    }
  } catch (error) {
    process.send({
      verdict: 'killed',
      by: `${file.split('/').pop()}, ${String(error.message).slice(0, 200)}`,
    });
    process.exit();
  }
}
process.send({ verdict: 'survived' });
