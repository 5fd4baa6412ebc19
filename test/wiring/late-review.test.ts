import { expect, it } from 'vitest';
import type { LaneJob } from '../../src/governance/schedule/lane-job.ts';
import { createLate, later } from '../../src/wiring/later.ts';

const isHeld = () => true;

/** Notes what is done to it. */
function createReview(): { done: string[]; load: () => Promise<LaneJob> } {
  const done: string[] = [];
  const load = later(async () => {
    done.push('load');
    return {
      async run() {
        done.push('run');
        return 7;
      },
      stop: () => void done.push('stop'),
    };
  });
  return { done, load };
}

it('is not there where none is configured', () => {
  expect(createLate(false, createReview().load)).toBeUndefined();
});

it('is loaded with its first run, once', async () => {
  const { done, load } = createReview();
  const review = createLate(true, load);

  expect(await review?.run(isHeld)).toBe(7);
  await review?.run(isHeld);
  review?.stop();

  expect(done).toEqual(['load', 'run', 'run', 'stop']);
});

it('is stopped also where the stop comes before it is loaded', async () => {
  const { done, load } = createReview();
  const review = createLate(true, load);

  const run = review?.run(isHeld);
  review?.stop();
  await run;

  expect(done).toEqual(['load', 'stop', 'run']);
});
