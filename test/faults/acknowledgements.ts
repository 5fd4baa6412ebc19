import type { Balancer } from './balancer.ts';
import { type Criterion, none } from './verdict.ts';

/** How the app answered Slack's deliveries. */
export type Acknowledgements = {
  /** ms until the 200. */
  times(): number[];
  /** How often each answer was given. */
  counts(): [string, string][];
  /** Every delivery gets its 200 before Slack hangs up after 3 s, or a 503, on which Slack sends it again. */
  criterion(): Criterion;
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
    counts: () => [...counts].map(([name, count]) => [`deliveries answered ${name}`, String(count)]),
    criterion: () => ({ ...none('deliveries answered neither 200 within 3 s nor 503', others), isTiming: true }),
  };
}
