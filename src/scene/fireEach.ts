/**
 * Fires events of one type one after the other, the first `count` of a list. A listener that throws keeps no other
 * event from being fired: what it threw is added to `failures`. Ends early when a listener disposes the tracker, which
 * empties the list.
 */
export function fireEach<Type extends string>(
  tracker: { dispatchEvent(event: never): void },
  type: Type,
  events: readonly { type: Type }[],
  failures: unknown[],
  count: number = events.length,
): void {
  for (let i = 0; i < count && i < events.length; i++) {
    const event = events[i];
    event.type = type;
    try {
      tracker.dispatchEvent(event as never);
    } catch (error) {
      failures.push(error);
    }
  }
}
