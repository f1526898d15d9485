import { fork } from 'node:child_process';

/**
 * Runs tests of a sandbox up to the first that fails, in a process of its own: a mutant may take it down with all its memory.
 * @param patience Milliseconds without a finished test after which they count as endless.
 */
export function runTests(sandbox, tests, patience) {
  return new Promise((resolve) => {
    const child = fork(
      new URL('./worker.mjs', import.meta.url),
      tests.map((test) => sandbox.placeOf(test)),
      {
        execArgv: ['--max-old-space-size=1024'],
        env: { ...process.env, FULL: '1' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    let timer;
    const finish = (result) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.kill('SIGKILL');
      resolve(result);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => finish({ verdict: 'endless' }), patience);
    };
    wait();
    child.on('message', (message) => {
      if (message === 'alive') wait();
      else finish(message);
    });
    child.on('exit', () => finish({ verdict: 'killed', by: 'the process came to an end' }));
  });
}
