import { describe, expect, it } from 'vitest';
import { makeHistory } from './history.ts';
import { FAULTS, readTarget } from './planted.ts';
import { judge } from './promises.ts';
import { simulate, tell } from './simulate.ts';
import { playWorld } from './world.ts';

/** Seeds that once broke a promise, or found a fault that was planted. */
const KNOWN = [3, 9, 22, 33, 171, 100_167, 200_211, 300_119, 1_139_153];

/** Short beside all other tests: nights of it are `npm run simulate -- --minutes 600`. */
const NEW_MS = 2_000;

describe('a simulated world', () => {
  it('is the same each time it is played', async () => {
    const history = makeHistory(7, { turns: 60, replicas: 2 });
    const [one, other] = [await playWorld(history), await playWorld(history)];

    expect(one.slack.messages()).toEqual(other.slack.messages());
    expect(one.service.asked).toEqual(other.service.asked);
    expect([one.steps, one.tookMs]).toEqual([other.steps, other.tookMs]);
    expect(one.service.asked.length).toBeGreaterThan(30);
  });

  it.each(KNOWN)('keeps every promise with seed %i', async (seed) => {
    const { failure } = await simulate({ seed, turns: 1, forMs: Number.POSITIVE_INFINITY });

    expect(failure ? tell(failure) : '').toBe('');
  });

  it('keeps every promise with seeds that nobody has played', { timeout: 300_000 }, async () => {
    const seed = 1 + Math.floor(Math.random() * 1e9);
    const { failure, turns } = await simulate({ seed, turns: Number.POSITIVE_INFINITY, forMs: NEW_MS });

    expect(failure ? tell(failure) : '').toBe('');
    expect(turns).toBeGreaterThan(0);
  });
});

describe('the predicates', () => {
  it('see a reply too many, a question asked twice, and one that is in doubt', async () => {
    const rest = await playWorld({
      seed: 3,
      replicas: 1,
      isBusy: true,
      acts: [{ at: 0, kind: 'ask', question: 0, user: 'UANA', channel: 'C0HALL' }],
    });
    const [reply] = rest.slack.messages().filter(({ user }) => user === 'UBOT');
    const [asked] = rest.service.asked;
    rest.slack.apply('chat.postMessage', { ...reply, thread_ts: reply?.threadTs });
    if (asked) rest.service.asked.push({ ...asked, at: asked.until });

    expect(judge({ ...rest, isAtRest: false }).map(({ promise }) => promise)).toEqual([
      'no more than one visible reply',
      'asked at most once without a press of the asker',
      'nothing is left in doubt',
    ]);
  });
});

describe('a fault that is planted', () => {
  it.each(FAULTS)('has its place in the code: $name', (fault) => {
    expect(readTarget(fault).split(fault.take)).toHaveLength(2);
  });
});
