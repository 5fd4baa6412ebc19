/** Reads the options of a tool for developers. Shows its usage and exits, with 0 for `--help`, with 1 if `read` throws. */
export function readOrExit<T>(read: (args: string[]) => T, usage: string): T {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(1);
  }
}

/** Reads the number of an option. Throws an Error with a sentence for people. */
export function readWholeNumber(option: string, text: string, from: number, to: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  throw new Error(`--${option} must be a whole number from ${from} to ${to}, not '${text}'.`);
}
