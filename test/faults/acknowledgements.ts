import type { Balancer } from './balancer.ts';
import { atMost, none, percentile, toPercentiles, type Verdict } from './verdict.ts';

/** How the app answered Slack's deliveries. */
export type Acknowledgements = {
  /** ms until the 200. */
  times(): number[];
  /**
   * Every delivery gets its 200 before Slack hangs up after 3 s, or a 503, on which Slack sends it again; where there is a
   * limit (ms), 99 of 100 by then.
   */
  judge(p99LimitMs?: number): Verdict;
};

export function watchAcknowledgements(balancer: Balancer): Acknowledgements {
  const times: number[] = [];
  const counts = new Map<string, number>();
  const others: string[] = [];
  balancer.onPassed(({ status, ms, isHeard, replica, item }) => {
    const name = isHeard ? `${status}${replica ? '' : ' by the balancer'}` : 'too late';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (isHeard && status === 200) times.push(ms);
    else if (status !== 503 || !isHeard)
      others.push(`item ${item}: ${status} of ${replica} after ${Math.round(ms)} ms`);
  });
  return {
    times: () => times,
    judge: (p99LimitMs) => ({
      facts: [
        ['acknowledged after', toPercentiles(times)],
        ...[...counts].map(([name, count]): [string, string] => [`deliveries answered ${name}`, String(count)]),
      ],
      criteria: [
        { ...none('deliveries answered neither 200 within 3 s nor 503', others), isTiming: true },
        ...(p99LimitMs === undefined ? [] : [atMost('acknowledged at p99', percentile(times, 0.99), p99LimitMs, 'ms')]),
      ],
    }),
  };
}
