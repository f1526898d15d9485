/** Lets the page breathe between two parts of a long job. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
