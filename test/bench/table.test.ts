import { describe, expect, it } from 'vitest';
import { toMedian } from '../../scripts/bench/figures.ts';
import type { Goal } from '../../scripts/bench/goals.ts';
import { type Line, type Row, renderGoals, renderRow } from '../../scripts/bench/table.ts';

const goal: Goal = { most: 2, of: ['on SQLite', 'on Redis'] };

function aRow(...lines: Line[]): Row {
  return { name: 'people', title: '32 people', columns: ['plain Bolt', 'on SQLite', 'on Redis'], lines };
}

function aLine(figures: Line['figures'], more: Partial<Line> = {}): Line {
  return { what: 'CPU', digits: 2, figures, ...more };
}

/** The only line, with a bar between its cells. */
function renderLine(line: Line): string | undefined {
  return renderRow(aRow(line)).split('\n').at(-1)?.replace(/ {3,}/g, ' | ');
}

describe('a row', () => {
  it('has a column for each contender and one for the goal, in line', () => {
    const row = aRow(aLine([toMedian([3]), toMedian([2.004]), toMedian([1, 2.5, 3])], { goal }));

    expect(renderRow(row)).toBe(
      [
        '32 people',
        '',
        '      plain Bolt   on SQLite             on Redis   goal',
        '────────────────────────────────────────────────────────',
        'CPU         3.00      2.00 ✗   2.50 (1.00–3.00) ✗    ≤ 2',
      ].join('\n'),
    );
  });

  it('marks a figure that has a goal, and no other', () => {
    expect(renderLine(aLine([toMedian([1]), toMedian([2]), toMedian([2.1])], { goal }))).toBe(
      'CPU | 1.00 | 2.00 ✓ | 2.10 ✗ | ≤ 2',
    );
    expect(renderLine(aLine([toMedian([1]), toMedian([2]), toMedian([3])]))).toBe('CPU | 1.00 | 2.00 | 3.00');
  });

  it('shows the spread of the rounds where there is one', () => {
    expect(renderLine(aLine([toMedian([1, 2, 3]), toMedian([2]), toMedian([1.999, 2.001])], { digits: 1 }))).toBe(
      'CPU | 2.0 (1.0–3.0) | 2.0 | 2.0',
    );
  });

  it('does not take for reached what could not be measured', () => {
    expect(renderLine(aLine([undefined, toMedian([]), undefined], { goal }))).toBe('CPU | – | – ✗ | – ✗ | ≤ 2');
  });
});

describe('the goals', () => {
  it('are counted, and those that are missed are named', () => {
    const row = aRow(
      aLine([toMedian([9]), toMedian([1]), toMedian([3])], { goal }),
      aLine([toMedian([9]), toMedian([9]), toMedian([9])]),
      aLine([undefined, undefined, toMedian([2])], { what: 'calls', goal: { most: 2, of: ['on Redis'] } }),
    );

    expect(renderGoals([row])).toBe('2 of 3 goals are met.\n  ✗ people: CPU, on Redis');
  });
});
