import { describe, expect, it } from 'vitest';
import {
  type Goal,
  type Line,
  type Row,
  renderGoals,
  renderRow,
  toMedian,
  toPercentile,
  toRatio,
} from '../../scripts/bench/table.ts';

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

it('a median is the middle of the rounds, and one slow round moves it little', () => {
  expect(toMedian([1.2, 9, 1])).toEqual({ median: 1.2, least: 1, most: 9 });
  expect(toMedian([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 });
});

it('a ratio compares neighbouring rounds: a machine that slows down in one of them changes nothing', () => {
  expect(toRatio([1, 10, 1], [2, 20, 2])).toEqual({ median: 0.5, least: 0.5, most: 0.5 });
});

it('of a hundred values, one is as long as p99 or longer', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);

  expect(values.filter((value) => value >= toPercentile(values, 0.99))).toHaveLength(1);
  expect(toPercentile(values, 0.5)).toBe(51);
});

it('what could not be measured is no number', () => {
  expect(toMedian([]).median).toBeNaN();
  expect(toRatio([1], []).median).toBeNaN();
  expect(toPercentile([], 0.99)).toBeNaN();
});
