import { describe, expect, it } from 'vitest';
import {
  endsInOneReply,
  hasWrites,
  KILL_TIMEOUT_MS,
  killAtCall,
  restartAndRead,
  type Seen,
  shareKillWorlds,
  startCrashing,
  toCases,
  type Write,
} from './kill-world.ts';
import type { LiveWorld } from './live-world.ts';

/** Every write of a question in a direct message whose answer is streamed, and what the person sees if the app dies there. */
const WRITES: Write[] = [
  { write: 'turns.accept', before: 'answer', after: 'answer' },
  { write: 'turns.save', before: 'answer', after: 'interrupted' }, // asking
  { write: 'turns.save', before: 'interrupted', after: 'interrupted' }, // placing
  { write: 'turns.save', before: 'interrupted', after: 'interrupted' }, // placed
  { write: 'turns.save', before: 'interrupted', after: 'answer' }, // answered
  { write: 'turns.save', before: 'answer', after: 'answer' }, // done
];

const CALLS: [call: string, nth: number, sees: Seen][] = [
  ['chat.startStream', 1, 'interrupted'],
  ['chat.appendStream', 1, 'interrupted'],
  ['chat.appendStream', 2, 'interrupted'],
  ['chat.stopStream', 1, 'answer'],
  ['chat.update', 1, 'answer'],
];

describe('SIGKILL while an answer is streamed', { timeout: KILL_TIMEOUT_MS }, () => {
  const answer = ({ text }: { text: string }) => `This is ${text}.\n\n${'It goes on and on. '.repeat(40)}\n\nThe end.`;
  // More than two seconds for an answer; more where it has to grow several times, on a busy machine, too.
  const stepMs = (question: string) => (question.includes(' 2 on') ? 400 : 150);
  const worlds = shareKillWorlds({ assistant: { stepMs, answer } });

  const ask = (world: LiveWorld, text: string) =>
    world.ask(text, { channel: world.slack.as('U0ANA').dm, await: 'none' });

  async function expectOneReply(world: LiveWorld, text: string, sees: Seen): Promise<void> {
    const question = await ask(world, text);
    await endsInOneReply(world, question, text, sees);
    const [shown = ''] = await world.waitForReplies(question);
    for (const part of [`This is ${text}`, 'The end.']) expect(shown.includes(part)).toBe(sees === 'answer');
  }

  it.concurrent('kills at all of its steps: these are they', () =>
    worlds.use((world) => hasWrites(world, (text) => ask(world, text), WRITES)));

  // Until it is asked, it is a question like any other: see kill-accept.test.ts and kill-steps.test.ts.
  it.concurrent.each(toCases(WRITES).slice(2))('write $at ($write): exactly one reply, the $sees', ({ at, sees }) =>
    worlds.use((world) => {
      startCrashing(world, at);
      return expectOneReply(world, `what happens at write ${at}`, sees);
    }),
  );

  it.concurrent.each(
    CALLS.flatMap(([call, nth, sees]) =>
      (['onCall', 'onProcessed'] as const).map((when) => ({ call, nth, when, sees })),
    ),
  )('$call $nth, $when: exactly one reply, the $sees', ({ call, nth, when, sees }) =>
    worlds.use((world) => {
      killAtCall(world, [call, nth, when]);
      return expectOneReply(world, `what happens at ${call} ${nth} ${when}`, sees);
    }),
  );

  it.concurrent.each(['onCall', 'onProcessed'] as const)(
    'a stop is under way at the end of the stream, %s: what had arrived stays, once',
    (when) =>
      worlds.use(async (world) => {
        const question = await ask(world, 'what happens to a stop');
        const place = { channel: question.channel, threadTs: question.ts };
        await world.find('goes on', place);
        killAtCall(world, ['chat.update', 1, when]);
        await world.slack.as('U0ANA').stop(place, { keepsStreams: true });

        const shown = (await restartAndRead(world, question)).map((message) => world.slack.render(message));
        expect(shown).toHaveLength(1);
        expect(shown[0]).toContain('This is what happens to a stop');
        expect(shown[0]?.split('Stopped.')).toHaveLength(2);
      }),
  );
});
