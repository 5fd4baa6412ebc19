import type { Cluster } from '../cluster.ts';
import { lookUntil } from '../look-until.ts';
import { type Scenario, UNINTERRUPTED } from '../scenario.ts';
import { underLoad } from '../under-load.ts';

/** What the app does to messages; reading is not in doubt. */
const WRITES = new Set(['chat.postMessage', 'chat.update', 'chat.delete']);

const LOST_AFTER = 0.25;
const LOST_BEFORE = 0.05;

const LOOK_MS = 1_000;

/** Until so many answers are lost, Slack posts and edits as asked; now and then it is never asked. Returns how many were. */
export async function loseAnswers(
  { world: { slack }, random }: Cluster,
  count: number,
  isOver: (lost: number) => boolean = () => false,
): Promise<number> {
  let lost = 0;
  const isHit = (method: string, share: number) => WRITES.has(method) && random.chance(share);
  const stops = [
    slack.faults.onCall('*', ({ method }) => (isHit(method, LOST_BEFORE) ? 'drop' : undefined)),
    slack.faults.onProcessed('*', ({ method }) => {
      if (!isHit(method, LOST_AFTER)) return undefined;
      lost += 1;
      return 'drop';
    }),
  ];
  while (!(await lookUntil(() => lost >= count, LOOK_MS)) && !isOver(lost));
  for (const stop of stops) stop();
  return lost;
}

export const lostAnswers: Scenario = {
  name: 'lost-answers',
  about: 'Slack posts and edits as asked, and its answer is lost; now and then it is never asked',
  counts: { redis: 1_000, sqlite: 1_000 },
  run: (options) =>
    underLoad(options, UNINTERRUPTED, async (cluster, _, progress) => {
      const lost = await loseAnswers(cluster, options.count, (soFar) => {
        progress(`${soFar} answers lost`);
        return false;
      });
      return () => ({ facts: [['answers of Slack that were lost', String(lost)]] });
    }),
};
