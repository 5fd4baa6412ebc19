// The smaller messages around a review.
import { describe, expect, it } from 'vitest';
import { buildRegisterProblem } from '../../../src/governance/review/approved-views.ts';
import type { WaitCause } from '../../../src/governance/review/patient-reader.ts';
import { buildFinished, buildInterrupted, buildProgress } from '../../../src/governance/review/progress-views.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AT } from './review-samples.ts';

const AT_BERLIN = { now: AT, timeZone: 'Europe/Berlin' };

describe('the progress', () => {
  it('is a bar, and says what was found so far and when', () => {
    const environments = { done: 640, total: 2_000 };

    const { text } = buildProgress({ environments, drifting: 1_212, waiting: undefined }, AT_BERLIN);

    expect(text).toContain('▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱▱▱▱▱ 640 of 2,000 environments, 1,212 with drift so far');
    expect(text).toContain('_As of 14:05:00 CET. If this has not moved for a minute, the app was stopped');
    expect(text).not.toContain('too much to do');
  });

  it('says that the inventory is read first, and that there may be nothing in it', () => {
    const unbegun = { environments: undefined, drifting: 0, waiting: undefined };

    expect(buildProgress(unbegun, AT_BERLIN).text).toContain('reading the inventory…');
    expect(buildProgress({ ...unbegun, environments: { done: 0, total: 0 } }, AT_BERLIN).text).toContain(
      '▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰ 0 of 0 environments',
    );
  });

  it('says until when the service asked to wait, and no longer than that', () => {
    const environments = { done: 1, total: 2 };
    const waiting = (until: number, cause: WaitCause = 'busy') =>
      buildProgress({ environments, drifting: 0, waiting: { until, cause } }, AT_BERLIN).text;

    expect(waiting(AT + 30_000)).toContain('The service has too much to do. It goes on at 14:05:30 CET.');
    expect(waiting(AT + 30_000, 'no_answer')).toContain('The service does not answer. It goes on at 14:05:30 CET.');
    expect(waiting(AT + 30_000, 'some_failed')).toContain('Some environments could not be read.');
    expect(waiting(AT - 1)).not.toContain('too much to do');
  });

  it('ends in words', () => {
    const environments = { done: 640, total: 2_000 };

    expect(buildFinished(61_000).text).toContain('finished in 1 min 1 s. The report is below.');
    expect(buildInterrupted({ environments, drifting: 0, waiting: undefined }).text).toContain(
      'interrupted after 640 of 2,000 environments, because the app was stopped. Nothing was changed.',
    );
    expect(buildInterrupted().text).toContain('interrupted, because the app was stopped.');
  });
});

describe('a register that cannot be used', () => {
  it('says how to set one up, and who can read why it cannot be read', () => {
    expect(readTexts(buildRegisterProblem({ kind: 'none' }))).toContain('names its file with `GOVERNANCE_REGISTER`');
    expect(readTexts(buildRegisterProblem({ kind: 'unreadable_file', error: new Error() }))).toContain('in its log');
  });

  it('shows the first of its problems, and how many more there are', () => {
    const problems = Array.from({ length: 1_500 }, (_, line) => ({ line, sentence: `<!channel> ${'&'.repeat(200)}` }));

    const message = buildRegisterProblem({ kind: 'problems', problems });

    const text = readTexts(message);
    expect(message.text).toContain('The register has 1,500 problems, so nothing was looked at.');
    expect(text).toContain('• Line 0: &lt;!channel&gt; &amp;');
    expect(text).toMatch(/• and 1,49\d more/);
    expect(findMessageProblems(message)).toEqual([]);
  });
});
