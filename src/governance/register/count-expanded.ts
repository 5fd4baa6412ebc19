/**
 * How many values stand in a plain value, those that it holds several times as often as it holds them. Each is looked at
 * once, so that it is quick however much that is.
 */
export function countExpanded(value: unknown, counted: Map<object, number> = new Map()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = counted.get(value);
  if (before !== undefined) return before;
  // What holds itself never ends.
  counted.set(value, Number.POSITIVE_INFINITY);
  const count = Object.values(value).reduce<number>((sum, one) => sum + countExpanded(one, counted), 1);
  counted.set(value, count);
  return count;
}
