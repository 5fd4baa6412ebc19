import { afterAll, describe, expect, it } from 'vitest';
import {
  becomesIdle,
  CRASHING_APP,
  createKillWorlds,
  delivered,
  KILL_TIMEOUT_MS,
  type KillWorld,
  restartUntilDone,
  startCrashing,
  startFreshVictim,
  startVictim,
} from './kill-world.ts';

/** Every write of a question in a direct message whose answer is streamed, and what the person sees if the app dies there. */
const WRITES = [
  { write: 'turns.accept', before: 'answer', after: 'answer' },
  { write: 'turns.save', before: 'answer', after: 'interrupted' }, // asking
  { write: 'turns.save', before: 'interrupted', after: 'interrupted' }, // placing
  { write: 'turns.save', before: 'interrupted', after: 'interrupted' }, // placed
  { write: 'turns.save', before: 'interrupted', after: 'answer' }, // answered
  { write: 'turns.save', before: 'answer', after: 'answer' }, // done
] as const;

type Seen = 'answer' | 'interrupted';

/** Until it is asked, it is a question like any other: see kill-accept.test.ts and kill-steps.test.ts. */
const CASES = WRITES.flatMap(({ write, before, after }, index) => [
  { write, at: `${index + 1} before`, sees: before },
  { write, at: `${index + 1} after`, sees: after },
]).slice(2);

const CALLS: { call: string; nth?: number; sees: Seen }[] = [
  { call: 'chat.startStream', sees: 'interrupted' },
  { call: 'chat.appendStream', sees: 'interrupted' },
  { call: 'chat.appendStream', nth: 2, sees: 'interrupted' },
  { call: 'chat.stopStream', sees: 'answer' },
  { call: 'chat.update', sees: 'answer' },
];

describe('SIGKILL while an answer is streamed', { timeout: KILL_TIMEOUT_MS }, () => {
  const answer = ({ text }: { text: string }) => `This is ${text}.\n\n${'It goes on and on. '.repeat(40)}\n\nThe end.`;
  // More than two seconds for an answer; more where it has to grow several times, on a busy machine, too.
  const stepMs = (question: string) => (question.includes(' 2 on') ? 400 : 150);
  const worlds = createKillWorlds({ script: CRASHING_APP, assistant: { stepMs, answer } });

  afterAll(() => worlds.close());

  const ana = (world: KillWorld) => world.slack.as('U0ANA');
  const ask = (world: KillWorld, text: string) => ana(world).say(ana(world).dm, text, { await: 'none' });
  const replies = (world: KillWorld, ts: string) =>
    ana(world)
      .sees(ana(world).dm, ts)
      .filter((message) => message.botId && !message.ephemeralFor);

  async function expectOneReply(world: KillWorld, { ts, text }: { ts: string; text: string }, sees: Seen) {
    await restartUntilDone(world, `message:T0001:${ana(world).dm}:${ts}`);
    await delivered(world, ts);
    await becomesIdle(world);

    const messages = replies(world, ts);
    const shown = messages.map((message) => world.slack.render(message));
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(sees === 'answer' ? 'The end.' : 'I was interrupted');
    expect(shown[0]?.includes(`This is ${text}`)).toBe(sees === 'answer');
    expect(messages[0]?.stream?.state).not.toBe('streaming');
    const chats = world.assistant.ledger.chats().filter((chat) => chat.text === text);
    expect(chats.length).toBeLessThanOrEqual(1);
    if (sees === 'answer') expect(chats).toHaveLength(1);
  }

  it.concurrent('kills at all of its steps: these are they', ({ expect }) =>
    worlds.use(async (world) => {
      const app = await startFreshVictim(world);
      const { ts } = await ask(world, 'which steps are there');

      await world.slack.until(
        () => replies(world, ts).some((message) => world.slack.render(message).includes('[Ask')),
        {},
      );
      await expect.poll(() => app.lines.filter((line) => line.startsWith('write ')).length).toBe(WRITES.length);

      const steps = app.lines.filter((line) => line.startsWith('write ')).map((line) => line.split(' ')[2]);
      expect(steps).toEqual(WRITES.map(({ write }) => write));
      await delivered(world, ts);
      await becomesIdle(world);
    }));

  it.concurrent.each(CASES)('write $at ($write): exactly one reply, the $sees', ({ at, sees }) =>
    worlds.use(async (world) => {
      const crashing = await startCrashing(world, at);
      const text = `what happens at write ${at}`;
      const { ts } = await ask(world, text);
      await crashing.ended;

      await expectOneReply(world, { ts, text }, sees);
    }),
  );

  it.concurrent.each(
    CALLS.flatMap((one) => [
      { ...one, when: 'onCall' as const },
      { ...one, when: 'onProcessed' as const },
    ]),
  )('$call $nth, $when: exactly one reply, the $sees', ({ call, nth = 1, when, sees }) =>
    worlds.use(async (world) => {
      const crashing = await startVictim(world);
      let calls = 0;
      const stop = world.slack.faults[when](call, async () => {
        if (++calls !== nth) return;
        stop();
        await crashing.kill('SIGKILL');
      });
      const text = `what happens at ${call} ${nth} ${when}`;
      const { ts } = await ask(world, text);
      await crashing.ended;

      await expectOneReply(world, { ts, text }, sees);
    }),
  );

  it.concurrent.each(['onCall', 'onProcessed'] as const)(
    'a stop is under way at the end of the stream, %s: what had arrived stays, once',
    (when) =>
      worlds.use(async (world) => {
        const crashing = await startVictim(world);
        const { ts } = await ask(world, 'what happens to a stop');
        await world.slack.until(() => replies(world, ts)[0]?.text.includes('goes on'));
        const release = world.slack.faults[when]('chat.update', async () => {
          release();
          await crashing.kill('SIGKILL');
        });
        await ana(world).stop({ channel: ana(world).dm, threadTs: ts }, { keepsStreams: true });
        await crashing.ended;
        await restartUntilDone(world, `message:T0001:${ana(world).dm}:${ts}`);
        await becomesIdle(world);

        const shown = replies(world, ts).map((message) => world.slack.render(message));
        expect(shown).toHaveLength(1);
        expect(shown[0]).toContain('This is what happens to a stop');
        expect(shown[0]?.split('Stopped.')).toHaveLength(2);
      }),
  );
});
