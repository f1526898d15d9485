/** A rule: the bits of facts that break it, and the reason given then, a word or a sentence. */
export type FactRule<Why extends string = string> = readonly [facts: number, why: Why];

/** The reason of the first rule that does not hold; null when all do. */
export function firstBroken<T, Why extends string>(
  rules: readonly (readonly [holds: (subject: T) => boolean, why: Why])[],
  subject: T,
): Why | null {
  for (const [holds, why] of rules) if (!holds(subject)) return why;
  return null;
}

/** The reason of the first rule that a material's facts break; null for none. */
export function firstBrokenBy<Why extends string>(facts: number, rules: readonly FactRule<Why>[]): Why | null {
  for (const [against, why] of rules) if ((facts & against) !== 0) return why;
  return null;
}

/** The bits of all facts that break any of the given rules. */
export function allOf(rules: readonly FactRule[]): number {
  return rules.reduce((all, [facts]) => all | facts, 0);
}
