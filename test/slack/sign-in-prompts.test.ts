import { describe, expect, it } from 'vitest';
import type { Stage, Turn } from '../../src/conversation/turn.ts';
import { createSignInPrompts } from '../../src/slack/sign-in-prompts.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

describe('who prompts a person to sign in', () => {
  const ana = { team: 'T1', user: 'UANA' };
  const ask = (id: string, asker = ana) => aTurn({ id, question: aQuestion({ asker }) });
  const first = ask('first');
  const second = ask('second');

  /** Two replicas on one store. */
  function open() {
    const clock = { at: 1_000_000 };
    const now = () => clock.at;
    const { once } = createMemoryStore(now);
    const stages: Record<string, Stage> = { first: 'parked', second: 'parked' };
    const get = async (id: string): Promise<Turn | undefined> => {
      const stage = stages[id];
      return stage && { ...ask(id), stage };
    };
    const ports = { once, turns: { get }, now };
    return { one: createSignInPrompts(ports), other: createSignInPrompts(ports), ports, clock, stages };
  }

  it('stays the same question when its run begins anew elsewhere', async () => {
    const { one, other } = open();
    await one.claim(first);

    expect(await other.claim(first)).toBe(true);
  });

  it('is the next one after a prompt that did not get through, or after a minute', async () => {
    const { one, other, clock } = open();
    await one.claim(first);
    await one.release(ana);
    expect(await other.claim(second)).toBe(true);

    clock.at += 60_000;
    expect(await one.claim(first)).toBe(true);
  });

  it.each([
    ['accepted', false],
    ['waiting', false],
    ['parked', false],
    ['cancelled', true],
    ['stopped', true],
    ['done', true],
    [undefined, true],
  ] as const)('is the next one at once where the question that prompted is %s: %s', async (stage, isNext) => {
    const { one, other, stages } = open();
    await one.claim(first);
    if (stage) stages.first = stage;
    else delete stages.first;

    expect(await other.claim(second)).toBe(isNext);
    expect(await one.claim(ask('third'))).toBe(false);
  });

  it('shares its prompt for a minute, also if it is the next one', async () => {
    const { one, clock, stages } = open();
    await one.claim(first);
    stages.first = 'cancelled';
    clock.at += 59_000;
    expect(await one.claim(second)).toBe(true);

    clock.at += 2_000;
    expect(await one.claim(ask('third'))).toBe(false);
  });

  it('is one where two replicas find at the same moment that the question that prompted has ended', async () => {
    const { one, ports, stages } = open();
    await one.claim(first);
    stages.first = 'cancelled';
    const taken = Promise.withResolvers<void>();
    const get = async (id: string) => {
      const turn = await ports.turns.get(id);
      await taken.promise;
      return turn;
    };
    const late = createSignInPrompts({ ...ports, turns: { get } }).claim(ask('third'));

    expect(await one.claim(second)).toBe(true);
    taken.resolve();
    expect(await late).toBe(false);
  });

  it('is not a question of somebody else, nor of the same id in another workspace', async () => {
    const { one } = open();
    await one.claim(first);

    expect(await one.claim(ask('of kim', { ...ana, user: 'UKIM' }))).toBe(true);
    expect(await one.claim(ask('of another ana', { ...ana, team: 'T2' }))).toBe(true);
  });
});
