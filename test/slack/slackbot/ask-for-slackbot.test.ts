import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { acceptTurn } from '../../../src/conversation/accept-turn.ts';
import type { Outcome } from '../../../src/conversation/outcome.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { askForSlackbot, type SlackbotPorts } from '../../../src/slack/slackbot/ask-for-slackbot.ts';
import { forgetToolAnswers, readToolAnswer, withToolReply } from '../../../src/slack/slackbot/tool-reply.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';
import { startHarness } from '../../conversation/run-harness.ts';
import { aLink } from '../../storage/a-link.ts';

const INSTALLATION = { workspace: 'T1', team: 'E1', botToken: 'xoxb', botId: 'B1', botUserId: 'UBOT' };

/** Everything between a call and the service; each accepted turn is run at once, unless told otherwise. */
function start() {
  const harness = startHarness();
  const { store, ports, run } = harness;
  ports.reply = withToolReply(harness.reply, { once: store.once, now: ports.now });
  const accepted: [string, Question][] = [];
  /** Without running it. */
  const acceptOnly = async (id: string, question: Question) => {
    accepted.push([id, question]);
    await acceptTurn(id, question, { ...store, reserve: () => undefined, wake: () => undefined, now: ports.now });
  };
  const door: SlackbotPorts = {
    ...store,
    now: ports.now,
    buckets: createMemoryBuckets(ports.now),
    findInstallation: async () => INSTALLATION,
    people: { language: async () => 'en' } as unknown as SlackbotPorts['people'],
    async accept(id, question) {
      await acceptOnly(id, question);
      await run(id);
    },
    signInUrl: async ({ team, user }, workspace) => `https://bridge.example/link/${team}/${workspace}/${user}`,
  };
  const ask = (question: string, { webSearch = true, signal = AbortSignal.timeout(10_000) } = {}) =>
    askForSlackbot({ user: 'UANA', workspace: 'T1', enterprise: undefined }, { question, webSearch }, door, signal);
  return { ...harness, door, accepted, acceptOnly, ask };
}

type Door = ReturnType<typeof start>;

/** What a turn ends with, instead of an answer. */
function endWith(door: Door, code: Extract<Outcome, { kind: 'notice' }>['code']): void {
  door.ports.admit = async () => code;
}

describe('a question of Slackbot', () => {
  it('is one of the person in the organisation, private, in a thread of its own, and placed nowhere in Slack', async () => {
    const door = start();

    const told = await door.ask('what is new? see https://files.example/a.docx. !web-off');

    const [id, question] = door.accepted[0] ?? [];
    expect(id).toMatch(/^slackbot:E1:/);
    expect(question).toMatchObject({
      asker: { team: 'E1', user: 'UANA' },
      workspace: 'T1',
      channel: 'slackbot',
      origin: 'slackbot',
      audience: 'person',
      startsThread: true,
      webSearch: false,
      links: ['https://files.example/a.docx'],
    });
    expect(told.text).toContain('answer to what is new?');
    expect(door.shown).toEqual([]);
    expect([...door.busy]).toEqual([]);
    expect(await door.turn(id)).toMatchObject({ stage: 'done', result: 'answer', question: { text: '' } });
  });

  it('is the same in the same words while its answer is kept, ten minutes; then it is asked again', async () => {
    const door = start();

    await door.ask('what is new?');
    door.pass(9 * 60_000);
    await door.ask('what is new? ');
    expect(door.asked).toHaveLength(1);
    await door.ask('what is new?', { webSearch: false });
    await door.ask('what is new today?');
    expect(door.asked).toHaveLength(3);

    door.pass(2 * 60_000);
    await door.ask('what is new?');
    expect(door.asked).toHaveLength(4);
  });

  it('gets nothing of an answer from before a sign-out, and each answer a thread of its own', async () => {
    const door = start();
    const person = { team: 'E1', user: 'UANA', purpose: 'assistant' as const };
    await door.store.links.save(aLink(person), 0);
    await door.ask('what is new?');

    await door.store.links.delete(person);
    endWith(door, 'sign_in_needed');
    const told = await door.ask('what is new?');

    expect(told.text).not.toContain('answer to what is new?');
    expect(told.text).toContain('https://bridge.example/link/E1/T1/UANA');
    const [first, second] = door.accepted.map(([, { threadTs }]) => threadTs);
    expect(first).not.toBe(second);
  });

  it.each<[string, (door: Door, id: string) => Promise<unknown>]>([
    ['its person had their data deleted', ({ store }, id) => forgetToolAnswers([id], store)],
    ['the app was uninstalled', ({ store }) => store.purge('E1')],
  ])('has no answer any more once %s', async (_, remove) => {
    const door = start();
    await door.ask('what is new?');
    const id = door.accepted[0]?.[0] ?? '';
    const before = await readToolAnswer(id, door.store);

    await remove(door, id);

    expect(before).toBeDefined();
    expect(await readToolAnswer(id, door.store)).toBeUndefined();
  });

  it('is not asked once nobody waits for it any more', async () => {
    const door = start();
    door.door.accept = async (id, question) => {
      await door.acceptOnly(id, question);
      door.pass(16 * 60_000);
      await door.run(id);
    };

    await door.ask('what is new?', { signal: AbortSignal.abort() });

    expect(door.asked).toEqual([]);
  });

  it.each([
    ...(['paused', 'sign_in_needed', 'guest', 'unavailable'] as const).map((code) => [code, 1] as const),
    ...(['interrupted', 'outcome_unknown', 'failed', 'empty'] as const).map((code) => [code, 0] as const),
  ])('that ended as %s is asked when it is repeated, unless it may have been asked: %i', async (code, times) => {
    const door = start();
    const { admit } = door.ports;
    endWith(door, code);
    const first = await door.ask('what is new?');
    if (times > 0) await door.ask('what is new?');
    door.ports.admit = admit;

    const again = await door.ask('what is new?');

    expect(isDeepStrictEqual(again, first)).toBe(times === 0);
    expect(again.text.includes('answer to what is new?')).toBe(times === 1);
    expect(door.asked).toHaveLength(times);
  });

  it('that waits is not asked by a second turn, and whoever hung up gets its answer later', async () => {
    const door = start();
    const { accept } = door.door;
    door.door.accept = door.acceptOnly;

    const gone = await door.ask('what is new?', { signal: AbortSignal.timeout(200) });
    door.pass(10 * 60_000);
    door.door.accept = accept;
    const told = await door.ask('what is new?');

    expect(gone.text).toContain('still working on this');
    expect(told.text).toContain('answer to what is new?');
    expect(new Set(door.accepted.map(([id]) => id)).size).toBe(1);
    expect(door.asked).toHaveLength(1);
  });

  it('gets a way to sign in where the person has not, or not any more', async () => {
    const door = start();
    for (const code of ['sign_in_needed', 'sign_in_lost', 'account_unusable'] as const) {
      endWith(door, code);
      const told = await door.ask(`what is ${code}?`);

      expect(told.text).toContain('https://bridge.example/link/E1/T1/UANA');
      expect(told.blocks.at(-1)).toMatchObject({
        type: 'actions',
        elements: [{ url: expect.stringContaining('UANA') }],
      });
    }
  });

  it('is refused beyond ten in a minute, which is not kept', async () => {
    const door = start();
    for (let count = 0; count < 10; count += 1) await door.ask(`question ${count}?`);

    expect(await door.ask('one more?')).toMatchObject({ isError: true });
    expect(await door.ask('question 3?')).not.toMatchObject({ isError: true });
    door.pass(60_000);
    expect((await door.ask('one more?')).text).toContain('answer to one more?');
  });
});
