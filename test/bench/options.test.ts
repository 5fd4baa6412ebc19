import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import { OPTIONS, ROW_NAMES, toBenchOptions, USAGE } from '../../scripts/bench/options.ts';

const readOptions = (args: string[]) => toBenchOptions(parseArgs({ args, options: OPTIONS }).values);

it('measures every row, unless told otherwise', () => {
  expect(readOptions([])).toMatchObject({ rows: [...ROW_NAMES], rounds: 5, isQuick: false });
  expect(readOptions(['--only', 'open', '--only', 'people'])).toMatchObject({ rows: ['people', 'open'] });
  for (const name of ROW_NAMES) expect(USAGE).toContain(`    ${name}: `);
});

it('warms plain Bolt up for as long as it gets faster', () => {
  expect(readOptions([]).sizes.warmUp).toBeGreaterThanOrEqual(1_500);
});

it('plays every answer equally often, so that all answer the same', () => {
  for (const args of [[], ['--quick']]) {
    const { turns, turnsAlone } = readOptions(args).sizes;

    expect([turns % 4, turnsAlone % 4]).toEqual([0, 0]);
  }
});

it.each([
  [['--only', 'peple'], "--only knows people, alone, person, channel, memory, open, waiting, not 'peple'."],
  [['--rounds', '0'], "--rounds must be a whole number from 1 to 100, not '0'."],
  [['--rounds', 'many'], "--rounds must be a whole number from 1 to 100, not 'many'."],
])('says what is wrong with %j', (args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence);
});
