import type { Cluster } from '../cluster.ts';

/** What the app does to messages; reading is not in doubt. */
const WRITES = new Set(['chat.postMessage', 'chat.update', 'chat.delete']);

const LOST_AFTER = 0.25;
const LOST_BEFORE = 0.05;

export type Losing = {
  /** Answers that were lost so far. */
  readonly lost: number;
  stop(): void;
};

/** From now on Slack posts and edits as asked, and many of its answers are lost; now and then it is never asked. */
export function loseAnswers({ world: { slack }, random }: Cluster): Losing {
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
  return {
    get lost() {
      return lost;
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
