import { describe, expect, it } from 'vitest';
import { FIND_AFTER_MS, resumePart, resumeQuestion } from '../../src/conversation/resume-turn.ts';

const NOW = 100_000;

describe('resuming a question', () => {
  it.each([
    ['accepted', 'run'],
    ['waiting', 'run'],
    ['parked', 'nothing'],
    ['asking', 'interrupt'],
    ['answered', 'finish'],
    ['stopped', 'finish'],
    ['cancelled', 'finish'],
    ['done', 'nothing'],
  ] as const)('that is %s: %s', (stage, step) => {
    expect(resumeQuestion(stage)).toBe(step);
  });
});

describe('resuming a part of the reply', () => {
  it.each([
    ['none', undefined, 'create'],
    ['placing', NOW - 1, 'wait'],
    ['placing', NOW - FIND_AFTER_MS + 1, 'wait'],
    ['placing', NOW - FIND_AFTER_MS, 'find'],
    ['placed', undefined, 'edit'],
  ] as const)('that is %s since %s: %s', (step, placingAt, expected) => {
    const part = { step, channel: 'C1', ...(placingAt && { placingAt }) };

    expect(resumePart(part, NOW)).toBe(expected);
  });
});
