import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AcceptPorts, acceptTurn } from '../../src/conversation/accept-turn.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { aQuestion } from './a-question.ts';

describe('accepting a question', () => {
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    clock.restore();
    wake.resetHistory();
  });

  const wake = sinon.spy();

  function accept(change: Partial<AcceptPorts> = {}) {
    const turns = { accept: async () => 'new' as const };
    return acceptTurn('message:T1:C1:100.1', aQuestion(), { turns, wake, now: Date.now, ...change });
  }

  it('wakes its lane once it is written', async () => {
    const { promise: written, resolve } = Promise.withResolvers<'new'>();

    const accepted = accept({ turns: { accept: () => written } });
    await clock.tickAsync(100);
    expect(wake.called).toBe(false);
    resolve('new');

    expect(await accepted).toBe('new');
    expect(wake.args).toEqual([['T1:C1:100.1']]);
  });

  it('wakes its lane again where no run has begun, because the wake-up may have been lost', async () => {
    expect(await accept({ turns: { accept: async () => 'unbegun' } })).toBe('duplicate');

    expect(wake.args).toEqual([['T1:C1:100.1']]);
  });

  it('is not done before the wake-up is safe', async () => {
    const { promise: safe, resolve } = Promise.withResolvers<void>();

    const accepted = accept({ wake: () => safe });
    await clock.tickAsync(100);
    const early = await Promise.race([accepted, 'still waiting']);
    resolve();

    expect(early).toBe('still waiting');
    expect(await accepted).toBe('new');
  });

  it('writes with it that its asker has spoken in the thread', async () => {
    const write = sinon.stub().resolves('new');

    await accept({ turns: { accept: write } });

    expect(write.args[0]?.[1]).toEqual([{ kind: 'engage', thread: 'T1:C1:100.1', user: 'UANA', workspace: 'T1' }]);
  });

  it('wakes nothing for one that is written already', async () => {
    expect(await accept({ turns: { accept: async () => 'duplicate' } })).toBe('duplicate');

    expect(wake.called).toBe(false);
  });

  const never = () => new Promise<never>(() => undefined);

  it('fails after two seconds where it cannot be written, while Slack still listens', async () => {
    const outcome = accept({ turns: { accept: never } }).catch((error: unknown) => ({ error, at: Date.now() }));

    await clock.tickAsync(2_500);
    const failed = await Promise.race([outcome, 'still waiting']);

    expect(failed).toMatchObject({ error: expect.any(StoreUnavailableError), at: 3_000 });
    expect(wake.called).toBe(false);
  });
});
