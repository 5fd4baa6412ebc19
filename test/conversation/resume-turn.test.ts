import { describe, expect, it } from 'vitest';
import { FIND_AFTER_MS, resumePart, resumeQuestion } from '../../src/conversation/resume-turn.ts';

const NOW = 100_000;

describe('resuming a question', () => {
  it.each([
    ['accepted', undefined, 'run'],
    ['waiting', NOW + 1, 'wait'],
    ['waiting', NOW, 'run'],
    ['parked', undefined, 'nothing'],
    ['asking', undefined, 'interrupt'],
    ['answered', undefined, 'finish'],
    ['stopped', undefined, 'finish'],
    ['cancelled', undefined, 'finish'],
    ['done', undefined, 'nothing'],
  ] as const)('that is %s, not before %s: %s', (stage, notBefore, step) => {
    expect(resumeQuestion(stage, notBefore, NOW)).toBe(step);
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
