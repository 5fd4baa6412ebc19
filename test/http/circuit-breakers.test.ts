import { useFakeTimers } from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCircuitBreakers } from '../../src/http/circuit-breakers.ts';
import { CircuitOpenError, NotSentError, OutcomeUnknownError } from '../../src/http/http-errors.ts';

const ORIGIN = 'https://service.example';

let clock: ReturnType<typeof useFakeTimers>;
type Exchanged = { status: number; headers: object };

let changes: string[];
let breakers: ReturnType<typeof createCircuitBreakers>;

beforeEach(() => {
  clock = useFakeTimers({ now: 1_000_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  changes = [];
  breakers = createCircuitBreakers({ onChange: (_origin, state) => changes.push(state), random: () => 0 });
});
afterEach(() => clock.restore());

const answer = (status: number, headers: object = {}) => breakers.guard(ORIGIN, async () => ({ status, headers }));

const fail = (error: Error) =>
  breakers
    .guard(ORIGIN, async () => {
      throw error;
    })
    .catch((thrown: unknown) => thrown);

async function open(): Promise<void> {
  for (let count = 0; count < 12; count++) await fail(new NotSentError(ORIGIN));
}

describe('an origin that fails', () => {
  it('is left in peace after ten failures, and those who ask are told for how long', async () => {
    await open();
    let hasRun = false;

    const refused = breakers.guard(ORIGIN, async () => {
      hasRun = true;
      return { status: 200, headers: {} };
    });

    await expect(refused).rejects.toBeInstanceOf(CircuitOpenError);
    await expect(refused).rejects.toMatchObject({ retryAfterMs: 10_000 });
    expect(hasRun).toBe(false);
    expect(breakers.pausedMs(ORIGIN)).toBe(10_000);
    expect(breakers.pausedMs('https://other.example')).toBe(0);
  });

  it('gets one request after the pause, and all of them once that goes well', async () => {
    await open();
    clock.tick(10_000);
    let release: ((value: Exchanged) => void) | undefined;
    const probe = breakers.guard<Exchanged>(ORIGIN, () => new Promise((resolve) => (release = resolve)));

    const meanwhile = answer(200);
    await expect(meanwhile).rejects.toBeInstanceOf(CircuitOpenError);
    release?.({ status: 200, headers: {} });
    await probe;

    expect((await answer(200)).status).toBe(200);
    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });

  it('is left in peace again where that one fails', async () => {
    await open();
    clock.tick(10_000);
    await fail(new OutcomeUnknownError(ORIGIN, 'timeout'));

    await expect(answer(200)).rejects.toBeInstanceOf(CircuitOpenError);
    expect(breakers.pausedMs(ORIGIN)).toBe(10_000);
  });

  it('is one that nothing is known of where nobody has tried it for five minutes', async () => {
    await open();
    clock.tick(10_000);
    await fail(new NotSentError(ORIGIN));
    clock.tick(299_999);
    const before = [...changes];
    clock.tick(1);

    expect(before).toEqual(['open', 'half_open', 'open']);
    expect(changes).toEqual([...before, 'unknown']);
    expect((await answer(200)).status).toBe(200);
    expect(changes.slice(4)).toEqual(['half_open', 'closed']);
    clock.tick(300_000);
    expect(changes).toHaveLength(6);
  });

  it('is not left in peace for as long as the clock is set back', async () => {
    await open();
    clock.setSystemTime(1_000_000 - 600_000);

    expect(breakers.pausedMs(ORIGIN)).toBe(0);
    expect((await answer(200)).status).toBe(200);
    expect(changes).toEqual(['open', 'unknown']);
  });

  it.each([
    ['a refusal', () => answer(403)],
    ['an operation it does not have', () => answer(501)],
    ['a wait that it names', () => answer(503, { 'retry-after': '3' })],
    ['a request that its caller broke off', () => fail(new OutcomeUnknownError(ORIGIN, 'aborted'))],
  ])('is not one that answers with %s', async (_what, exchange) => {
    for (let count = 0; count < 30; count++) await exchange();

    expect(breakers.pausedMs(ORIGIN)).toBe(0);
  });

  it('is one that answers with 500', async () => {
    for (let count = 0; count < 12; count++) await answer(500).catch(() => undefined);

    expect(changes).toEqual(['open']);
  });

  it('is not one that mostly answers', async () => {
    for (let count = 0; count < 40; count++) {
      await answer(200);
      if (count % 3 === 0) await answer(500);
    }

    expect(changes).toEqual([]);
  });
});
