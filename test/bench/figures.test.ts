import { expect, it } from 'vitest';
import { toMedian, toPercentile, toRatio } from '../../scripts/bench/figures.ts';

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
