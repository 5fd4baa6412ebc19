/**
 * How many characters patterns and strings look at while something is done: the same on every machine, however busy.
 * A pattern looks at what lies between where it begins and the end of what it finds.
 */
export async function countCharacters(work: () => unknown): Promise<number> {
  let count = 0;
  const restore = [
    replace(
      RegExp.prototype,
      'exec',
      (exec) =>
        function (this: RegExp, text: string) {
          const from = this.global || this.sticky ? this.lastIndex : 0;
          const found: RegExpExecArray | null = exec.call(this, text);
          const end = found ? found.index + found[0].length : text.length;
          count += found || !this.sticky ? 1 + Math.max(0, end - from) : 1;
          return found;
        },
    ),
    ...(['includes', 'indexOf', 'lastIndexOf', 'split', 'replaceAll', 'trim'] as const).map((name) =>
      replace(
        String.prototype,
        name,
        (method) =>
          function (this: string, ...args: unknown[]) {
            if (!(args[0] instanceof RegExp)) count += this.length;
            return (method as (...args: unknown[]) => unknown).apply(this, args);
          } as never,
      ),
    ),
    replace(
      String.prototype,
      'startsWith',
      (startsWith) =>
        function (this: string, start: string, at?: number) {
          count += start.length;
          return startsWith.call(this, start, at);
        },
    ),
    replace(
      String.prototype,
      'charCodeAt',
      (charCodeAt) =>
        function (this: string, at: number) {
          count += 1;
          return charCodeAt.call(this, at);
        },
    ),
    replace(
      JSON,
      'parse',
      (parse) =>
        function (this: unknown, text: string, ...args) {
          count += text.length;
          return parse(text, ...args);
        },
    ),
  ];
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return count;
}

function replace<Of extends object, Name extends keyof Of>(
  of: Of,
  name: Name,
  make: (before: Of[Name]) => Of[Name],
): () => void {
  const before = of[name];
  of[name] = make(before);
  return () => {
    of[name] = before;
  };
}
