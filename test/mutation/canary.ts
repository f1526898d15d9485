/** Code of which every mutant must die: if one lives, mutants are not what runs. */
export function canary(a: number, b: number): number {
  if (a > b) return a - b;
  return a === b ? 1 : 3 * b + a;
}
