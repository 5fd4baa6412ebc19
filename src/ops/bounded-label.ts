const MAX_VALUES = 60;

const WORD = /^[A-Za-z][\w.:-]{0,63}$/;

/**
 * Each value of a label is a series that is kept for good, so there may be only so many: past that, and for what is no
 * single word, it is `other`. One bound for each label of each metric.
 */
export function createBoundedLabel(maxValues = MAX_VALUES): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= maxValues || !WORD.test(value)) return 'other';
    known.add(value);
    return value;
  };
}
