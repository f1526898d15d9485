/** Props that a mounted component follows. */
export function reactive<T extends object>(initial: T): T {
  const props = $state(initial);
  return props;
}
