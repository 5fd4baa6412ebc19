import { describe, it } from 'vitest';
import {
  endsInOneReply,
  hasWrites,
  KILL_TIMEOUT_MS,
  killAtCall,
  shareKillWorlds,
  startCrashing,
  startFresh,
  toCases,
  type Write,
} from './kill-world.ts';
import type { LiveWorld } from './live-world.ts';

/** Every write of the first question in a thread, in order; and what the person sees where the app dies there. */
const WRITES: Write[] = [
  { write: 'turns.accept', before: 'answer', after: 'answer' },
  { write: 'turns.save', before: 'answer', after: 'interrupted' }, // asking
  { write: 'turns.save', before: 'interrupted', after: 'answer' }, // answered, placing
  { write: 'turns.save', before: 'answer', after: 'answer' }, // placed, done
];

/** One delivery of the mention's two, so that the steps always come in the same order. */
const askOnce = (world: LiveWorld, text: string) => world.ask(text, { await: 'none', twins: 'mention-only' });

describe('SIGKILL between any two steps of a turn', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = shareKillWorlds();

  it.concurrent('kills at all of its steps: these are they', () =>
    worlds.use((world) => hasWrites(world, (text) => askOnce(world, text), WRITES)));

  // Those at the first write, where Slack sends again, are in kill-accept.test.ts.
  it.concurrent.each(toCases(WRITES).slice(2))('write $at ($write): exactly one reply, the $sees', ({ at, sees }) =>
    worlds.use(async (world) => {
      const text = `what happens at write ${at}`;
      startCrashing(world, at);
      await endsInOneReply(world, await askOnce(world, text), text, sees);
    }),
  );

  // Those at the service and at the post are in faults/short-histories.test.ts, on the same store.
  it.concurrent.each([
    ['users.info', 1, 'onCall'],
    ['agents.sessions.setStatus', 1, 'onCall'],
    ['agents.sessions.setStatus', 1, 'onProcessed'],
    ['agents.sessions.setStatus', 2, 'onCall'],
    ['agents.sessions.setStatus', 2, 'onProcessed'],
  ] as const)('%s %i, %s: exactly one reply, the answer', (call, nth, when) =>
    worlds.use(async (world) => {
      // An app that has been running keeps people's profiles.
      if (call === 'users.info') await startFresh(world);
      const { ended } = world.app;
      // Nobody waits for the first status: without this the question may have been asked before the kill.
      const isBeginning = call === 'agents.sessions.setStatus' && nth === 1;
      const release = world.assistant.onCreated(async () => void (isBeginning && (await ended)));
      const text = `what happens at ${call} ${nth} ${when}`;
      // It may still be ending the status of an earlier thread: 15 s after a crash.
      killAtCall(world, [call, nth, when], async (thread) => thread !== undefined && thread !== (await asked).ts);
      const asked = askOnce(world, text);
      const question = await asked;
      await ended;
      release();

      await endsInOneReply(world, question, text, 'answer');
    }),
  );
});
