import { CONVERSATION_PROMISES, type PromiseName } from './conversation-promises.ts';
import type { Tally } from './reconcile.ts';

export type Criterion = {
  name: string;
  /** As people read it, such as `0` or `≤ 3400 ms`. */
  wanted: string;
  found: string;
  isMet: boolean;
  /** What a busy machine can spoil: judged by the long form only. */
  isTiming: boolean;
  /** The first few offences, each a line. */
  offences: string[];
};

/** What a scenario found. `facts` are for the reader, criteria for the judge. */
export type Verdict = { facts: [string, string][]; criteria: Criterion[] };

const SHOWN_OFFENCES = 10;

/** For what is only counted: a line for each. */
export function times(count = 0, line: string): string[] {
  return Array.from({ length: count }, () => line);
}

/** Nothing of this kind may have happened. */
export function none(name: string, offences: string[]): Criterion {
  const found = String(offences.length);
  return {
    ...{ name, wanted: '0', found, isMet: offences.length === 0, isTiming: false },
    offences: offences.slice(0, SHOWN_OFFENCES),
  };
}

export function atMost(name: string, found: number, limit: number, unit: string): Criterion {
  return {
    name,
    wanted: `≤ ${limit} ${unit}`,
    found: `${Math.round(found)} ${unit}`,
    isMet: found <= limit,
    isTiming: true,
    offences: [],
  };
}

export function holds(name: string, isMet: boolean, found: string): Criterion {
  return { name, wanted: 'yes', found: isMet ? 'yes' : found, isMet, isTiming: false, offences: [] };
}

/** What every scenario with messages is judged by. */
export function toCriteria(tally: Tally): Criterion[] {
  return [
    holds('messages were acknowledged', tally.acknowledged > 0, 'none'),
    ...Object.entries(CONVERSATION_PROMISES).map(([promise, { name, ...rest }]) => ({
      ...none(`against: ${name}`, tally[promise as PromiseName]),
      isTiming: 'isTiming' in rest,
    })),
    none('messages that nobody asked for', tally.unasked),
    { ...none('asked as it was before its change', tally.askedUnchanged), isTiming: true },
  ];
}

export function toFacts(tally: Tally): [string, string][] {
  const endings = Object.entries(tally.endings).map(
    ([ending, count]) => [`ended as ${ending}`, String(count)] as const,
  );
  return [
    ['acknowledged', String(tally.acknowledged)],
    ['never acknowledged', String(tally.unacknowledged)],
    ['edited and deleted', `${tally.changes.edited} and ${tally.changes.deleted}`],
    ...endings.map(([name, count]): [string, string] => [name, count]),
  ];
}

/** p50 / p95 / p99 / most. */
export function toPercentiles(times: number[]): string {
  if (times.length === 0) return 'none';
  const shown = [0.5, 0.95, 0.99, 1].map((share) => Math.round(percentile(times, share)));
  return `${shown.join(' / ')} ms (p50 / p95 / p99 / most of ${times.length})`;
}

/** 0 of nothing. */
export function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
