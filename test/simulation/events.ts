// How Slack delivers events: late, doubled, in any order, and again where nobody acknowledges them in time.
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

export type Events = {
  post(event: object): void;
  /** Events that nobody has acknowledged yet, and that Slack has not given up. */
  underway(): number;
};

/** Slack sends an event again after these (ms): https://docs.slack.dev/apis/events-api/#retries */
const RETRIES_MS = [1_000, 60_000, 300_000];

const ACKNOWLEDGED_WITHIN_MS = 3_000;

export function createEvents(time: VirtualTime, random: Random, fleet: Fleet): Events {
  let underway = 0;

  function send(event: object, attempt = 0): void {
    const replica = fleet.pick();
    let isSettled = false;
    const settle = (isTaken: boolean) => {
      if (isSettled) return;
      isSettled = true;
      const waitMs = isTaken ? undefined : RETRIES_MS[attempt];
      if (waitMs === undefined) underway -= 1;
      else time.at(time.now() + waitMs, () => send(event, attempt + 1));
    };
    if (!replica) return settle(false);
    fleet.on(replica, ({ deliver }) =>
      deliver(event, attempt).then(
        () => settle(true),
        () => settle(false),
      ),
    );
    time.at(time.now() + ACKNOWLEDGED_WITHIN_MS, () => settle(false));
  }

  return {
    post(event) {
      const delays = [random.between(0, 300), ...(random.chance(0.05) ? [random.between(0, 5_000)] : [])];
      underway += delays.length;
      for (const delay of delays) time.arrive(delay, () => send(event));
    },
    underway: () => underway,
  };
}
