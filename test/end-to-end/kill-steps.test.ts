import { afterAll, describe, it } from 'vitest';
import type { AppProcess } from '../app/app-process.ts';
import { askOnce, endsInOneReply, killAtWrite } from './kill-channel.ts';
import {
  becomesIdle,
  CRASHING_APP,
  createKillWorlds,
  delivered,
  KILL_TIMEOUT_MS,
  replies,
  startFreshVictim,
  startVictim,
} from './kill-world.ts';

/** Every write of the first question in a thread, in order; and what the person sees where the app dies there. */
const WRITES = [
  { write: 'turns.accept', before: 'answer', after: 'answer' },
  { write: 'turns.save', before: 'answer', after: 'interrupted' }, // asking
  { write: 'turns.save', before: 'interrupted', after: 'answer' }, // answered, placing
  { write: 'turns.save', before: 'answer', after: 'answer' }, // placed, done
] as const;

/** Those at the first write, where Slack sends again, are in kill-accept.test.ts. */
const CASES = WRITES.flatMap(({ write, before, after }, index) => [
  { write, at: `${index + 1} before`, sees: before },
  { write, at: `${index + 1} after`, sees: after },
]).slice(2);

const untilEnded = async ({ ended }: AppProcess): Promise<void> => void (await ended);

describe('SIGKILL between any two steps of a turn', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = createKillWorlds({ script: CRASHING_APP });

  afterAll(() => worlds.close());

  it.concurrent('kills at all of its steps: these are they', ({ expect }) =>
    worlds.use(async (world) => {
      const app = await startFreshVictim(world);
      const { ts } = await askOnce(world, 'which steps are there');

      await world.slack.until(() => replies(world, ts).length === 1);
      await expect.poll(() => app.lines.filter((line) => line.startsWith('write ')).length).toBe(WRITES.length);

      const steps = app.lines.filter((line) => line.startsWith('write ')).map((line) => line.split(' ')[2]);
      expect(steps).toEqual(WRITES.map(({ write }) => write));
      await delivered(world, ts);
      await becomesIdle(world);
    }));

  it.concurrent.each(CASES)('write $at ($write): exactly one reply, the $sees', ({ at, sees }) =>
    worlds.use((world) => killAtWrite(world, at, sees)),
  );

  it.concurrent.each([
    { call: 'users.info', nth: 1, when: 'onCall', sees: 'answer' },
    { call: 'agents.sessions.setStatus', nth: 1, when: 'onCall', sees: 'answer' },
    { call: 'agents.sessions.setStatus', nth: 1, when: 'onProcessed', sees: 'answer' },
    { call: 'agents.sessions.setStatus', nth: 2, when: 'onCall', sees: 'answer' },
    { call: 'agents.sessions.setStatus', nth: 2, when: 'onProcessed', sees: 'answer' },
    { call: 'chat.postMessage', nth: 1, when: 'onCall', sees: 'answer' },
    { call: 'chat.postMessage', nth: 1, when: 'onProcessed', sees: 'answer' },
  ] as { call: string; nth: number; when: 'onCall' | 'onProcessed'; sees: 'answer' }[])(
    '$call $nth, $when: exactly one reply, the $sees',
    ({ call, nth, when, sees }) =>
      worlds.use(async (world) => {
        // An app that has been running keeps people's profiles.
        const crashing = call === 'users.info' ? await startFreshVictim(world) : await startVictim(world);
        // Nobody waits for the first status: without this the question may have been asked before the kill.
        const isBeginning = call === 'agents.sessions.setStatus' && nth === 1;
        const release = world.assistant.onCreated(() => (isBeginning ? untilEnded(crashing) : undefined));
        const text = `what happens at ${call} ${nth} ${when}`;
        let calls = 0;
        const stop = world.slack.faults[when](call, async ({ arguments: { thread_ts: thread } }) => {
          // It may still be ending the status of an earlier thread: 15 s after a crash.
          if (thread !== undefined && thread !== (await asked).ts) return;
          if (++calls !== nth) return;
          stop();
          await crashing.kill('SIGKILL');
        });
        const asked = askOnce(world, text);
        const { ts } = await asked;
        await crashing.ended;
        release();

        await endsInOneReply(world, ts, text, sees);
      }),
  );

  it.concurrent.each([
    { moment: 'onCreated', sees: 'answer' },
    { moment: 'onChat', sees: 'interrupted' },
    { moment: 'onAnswered', sees: 'interrupted' },
  ] as const)('the assistant service, $moment: exactly one reply, the $sees', ({ moment, sees }) =>
    worlds.use(async (world) => {
      const crashing = await startVictim(world);
      const stop = world.assistant[moment](async () => {
        stop();
        await crashing.kill('SIGKILL');
      });
      const text = `what happens at ${moment}`;
      const { ts } = await askOnce(world, text);
      await crashing.ended;

      await endsInOneReply(world, ts, text, sees);
    }),
  );
});
