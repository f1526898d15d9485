/** Lets the page react between two parts of a long task. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
