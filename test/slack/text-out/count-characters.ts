/** From what is called and how, to how many characters the call looks at once its result is known. */
type Cost = (of: string, given: unknown[]) => (result: unknown) => number;

const whole: Cost = (text, [wanted]) => {
  return () => (wanted instanceof RegExp ? 0 : text.length);
};

/** A pattern looks at what lies between where it begins and the end of what it finds. */
function costOfPattern({ global, sticky, lastIndex }: RegExp, text: string) {
  const from = global || sticky ? lastIndex : 0;
  return (found: RegExpExecArray | null) => {
    if (!found) return sticky ? 1 : 1 + Math.max(0, text.length - from);
    return 1 + Math.max(0, found.index + found[0].length - from);
  };
}

const LOOKS: [object, string, Cost][] = [
  [RegExp.prototype, 'exec', (pattern, [text]) => costOfPattern(pattern as never, text as string) as never],
  ...['includes', 'lastIndexOf', 'split', 'replaceAll', 'trim'].map((name): [object, string, Cost] => [
    String.prototype,
    name,
    whole,
  ]),
  [
    String.prototype,
    'indexOf',
    (text, [, from = 0]) =>
      (found) =>
        1 + Math.max(0, (found === -1 ? text.length : Number(found)) - Number(from)),
  ],
  [
    String.prototype,
    'startsWith',
    (_, [start]) =>
      () =>
        String(start).length,
  ],
  [String.prototype, 'charCodeAt', () => () => 1],
  [
    JSON,
    'parse',
    (_, [text]) =>
      () =>
        String(text).length,
  ],
];

/**
 * How many characters patterns and strings look at while something is done: the same on every machine, however busy.
 */
export async function countCharacters(work: () => unknown): Promise<number> {
  let count = 0;
  const undo = LOOKS.map(([of, name, cost]) => {
    const methods = of as Record<string, (this: unknown, ...given: unknown[]) => unknown>;
    const method = methods[name] as (typeof methods)[string];
    methods[name] = function (...given) {
      const toCount = cost(this as string, given);
      const result = method.apply(this, given);
      count += toCount(result);
      return result;
    };
    return () => void Object.assign(methods, { [name]: method });
  });
  try {
    await work();
  } finally {
    for (const each of undo) each();
  }
  return count;
}
