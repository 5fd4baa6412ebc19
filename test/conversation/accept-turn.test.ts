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
    const ports = { turns, reserve: () => undefined, wake, now: Date.now, ...change };
    return acceptTurn('message:T1:C1:100.1', aQuestion(), ports);
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

  describe('with a place for its run', () => {
    const begin = sinon.spy();
    const release = sinon.spy();
    const place = { holder: 'here', begin, release };
    afterEach(() => {
      begin.resetHistory();
      release.resetHistory();
    });

    it('begins with the turn that was taken, and wakes nothing', async () => {
      const write = sinon.stub().resolves('taken');

      expect(await accept({ reserve: () => place, turns: { accept: write } })).toBe('new');

      expect(write.args[0]?.[2]).toBe('here');
      expect(begin.args).toMatchObject([[{ id: 'message:T1:C1:100.1', fence: 1 }]]);
      expect([release.called, wake.called]).toEqual([false, false]);
    });

    it.each([
      ['new', 1],
      ['duplicate', 0],
    ] as const)('gives it up where the turn is %s', async (result, wakes) => {
      expect(await accept({ reserve: () => place, turns: { accept: async () => result } })).toBe(result);

      expect([begin.callCount, release.callCount, wake.callCount]).toEqual([0, 1, wakes]);
    });

    it('gives it up where the turn cannot be written', async () => {
      const turns = { accept: () => Promise.reject(new StoreUnavailableError('gone')) };

      await expect(accept({ reserve: () => place, turns })).rejects.toThrow('gone');

      expect([begin.callCount, release.callCount]).toEqual([0, 1]);
    });
  });

  it('writes with it that its asker has spoken in the thread', async () => {
    const write = sinon.stub().resolves('new');

    await accept({ turns: { accept: write } });

    expect(write.args[0]?.[1]).toEqual([{ kind: 'engage', thread: 'T1:C1:100.1', user: 'UANA', workspace: 'T1' }]);
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
