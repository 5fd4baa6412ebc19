import { describe, expect, it } from 'vitest';
import type { ReviewSnapshot } from '../../../src/governance/review/review-diff.ts';
import { createReviewSchedule } from '../../../src/governance/scheduled-review/review-schedule.ts';
import { buildReviewState } from '../../../src/governance/scheduled-review/review-state-views.ts';

const NOW = Date.UTC(2026, 2, 4, 12);
const schedule = createReviewSchedule('0 8 * * 1', 'UTC');

async function read(snapshot: Partial<ReviewSnapshot> | undefined, isScheduled = true): Promise<string> {
  const lastSnapshot = async () =>
    snapshot && { schema: 1 as const, at: NOW - 3_600_000, registerHash: '', environments: [], ...snapshot };
  const blocks = await buildReviewState({
    reviews: { lastSnapshot },
    schedule: isScheduled ? schedule : undefined,
    timeZone: 'UTC',
    now: () => NOW,
  });
  return JSON.stringify(blocks);
}

describe('the state of the last review', () => {
  it('names when it was, what was found, and when the next one is', async () => {
    const environments: ReviewSnapshot['environments'] = [
      ['e1', ['drift:x'], [['a1', ['drift:y']]]],
      ['e2', null, [['a2', ['unreadable', 'drift:z']]]],
    ];
    const text = await read({ environments });

    expect(text).toContain(
      'began 4 Mar 2026, 11:00 UTC. Its findings, by environment and agent: *2* drift, *1* not readable.',
    );
    expect(text).toContain('The next one runs 9 Mar 2026, 08:00 UTC.');
    expect(text).toContain('/assistant-admin review');
  });

  it('says that limits are as approved only as far as the service tells', async () => {
    expect(await read({ untold: 3 })).toContain(
      'and noted no findings. 3 agents count as approved only as far as the service tells: it does not show their limits.',
    );
  });

  it('says that nothing was noted, that there was none yet, and that none is scheduled', async () => {
    expect(await read({})).toContain('and noted no findings.\\n');
    expect(await read(undefined, false)).toContain('There was no scheduled review yet.\\nNo review is scheduled.');
  });
});
