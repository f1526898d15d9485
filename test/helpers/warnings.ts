import { afterEach, beforeEach, vi } from 'vitest';

/** Keeps warnings off the console in every test of a file or suite; returns those of the current test. */
export function catchWarnings(): () => string[] {
  let warn: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return () => warn.mock.calls.map((args: unknown[]) => args.join(' '));
}
