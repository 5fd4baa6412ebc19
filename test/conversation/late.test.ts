import { beforeEach, describe, expect, it } from 'vitest';
import { AccountNotLinkedError } from '../../src/identity/identity-errors.ts';
import { type Harness, startHarness } from './run-harness.ts';

const HOUR_MS = 3_600_000;
const DUE = 1_000_000;
const TURN = 'schedule:T1:UANA:V1:2026-11-23';

let harness: Harness;

beforeEach(() => {
  harness = startHarness();
});

const words = () => harness.shown.map((one) => one.words);

/** In the direct message of the person, without a message of theirs. */
async function acceptScheduled(text = 'what changed?'): Promise<void> {
  const place = {
    channel: 'D1',
    audience: 'person',
    origin: 'command',
    threadTs: undefined,
    messageTs: undefined,
  } as const;
  await harness.accept({ ...place, text, scheduled: { due: DUE } }, TURN);
}

describe('a scheduled question', () => {
  it('is shown and answered in its thread, up to an hour after its time', async () => {
    harness.pass(HOUR_MS);
    await acceptScheduled();
    await harness.run(TURN);
    await harness.run(TURN);

    expect(words()).toEqual(['root: what changed?', 'answer to what changed?']);
    expect(harness.asked).toHaveLength(1);
  });

  it('is shown and not asked when it is later than that, whatever it waited for', async () => {
    await acceptScheduled();
    harness.pass(HOUR_MS + 1);
    await harness.run(TURN);
    await harness.run(TURN);

    expect(words()).toEqual(['root: what changed?', 'too_late']);
    expect(harness.asked).toEqual([]);
    expect(await harness.turn(TURN)).toMatchObject({ stage: 'done', result: 'too_late' });
  });

  it('does not wait for a sign-in: its next time comes', async () => {
    harness.ports.access = async () => {
      throw new AccountNotLinkedError('never');
    };
    await acceptScheduled();
    await harness.run(TURN);

    expect(harness.told).toEqual(['schedule_held']);
    expect(words()).toEqual([]);
    expect(await harness.turn(TURN)).toMatchObject({ stage: 'done', result: 'schedule_held' });
  });

  it('says so where its words cannot be read any more', async () => {
    await acceptScheduled('');
    await harness.run(TURN);

    expect(await harness.turn(TURN)).toMatchObject({ result: 'question_lost' });
  });
});

describe('a question that Slack delivered hours late', () => {
  it('gets a line instead of an answer', async () => {
    await harness.accept({ isLate: true });
    await harness.run();

    expect(words()).toEqual(['too_late']);
    expect(harness.asked).toEqual([]);
  });

  it('gets nothing where nobody had spoken to the app', async () => {
    await harness.accept({ isLate: true, isUnaddressed: true });
    await harness.run();

    expect(words()).toEqual([]);
    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'cancelled' });
  });
});
