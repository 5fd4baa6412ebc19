import { SECONDS, type Usage, type UsageName } from './usage.ts';

/** With fewer people, readers could guess who they are. */
export const FEWEST_PEOPLE = 5;

/** A hidden figure: it is about fewer than five people, or would reveal such a figure. */
export type Hidden = 'few';

/** `failed`: all other results. */
const OUTCOMES = ['answered', 'stopped', 'refused', 'failed'] as const;

type OutcomeKind = (typeof OUTCOMES)[number];

/** Shares are from 0 to 1. */
export type Insights = {
  askers: number;
  questions: number;
  outcomes: Record<OutcomeKind, number | Hidden>;
  /** Failed questions by the code of their notice, the most frequent first. `hidden`: some kinds are not shown. */
  failures: { kinds: [code: string, count: number][]; hidden: boolean };
  /** Within how many seconds half and 95 % of the answers came. `more`: more than the last bucket. */
  seconds: { half: number | 'more'; most: number | 'more' } | Hidden;
  /** The share of questions in channels. The others were asked in direct messages. */
  inChannels: number | Hidden;
  webOff: number | Hidden;
  /** How many people. */
  signIn: Record<'prompted' | 'started' | 'finished', number | Hidden>;
  /** How many ratings. */
  feedback: Record<'good' | 'bad', number | Hidden>;
};

/** Undefined if fewer than five people asked: every figure would be about few people. */
export function toInsights({ counts, people }: Usage): Insights | undefined {
  const countOf = (name: UsageName) => counts[name] ?? 0;
  const peopleOf = (name: UsageName) => people[name] ?? 0;
  const toPart = (name: UsageName) => ({ name, count: countOf(name), people: peopleOf(name) });
  const isFew = (name: UsageName) => countOf(name) > 0 && peopleOf(name) < FEWEST_PEOPLE;
  const show = (name: UsageName, value: number): number | Hidden => (isFew(name) ? 'few' : value);
  const questions = countOf('questions');
  const toShare = (name: UsageName, other: UsageName): number | Hidden =>
    findHidden([toPart(name), toPart(other)]).size > 0 ? 'few' : countOf(name) / questions;
  const askers = peopleOf('questions');
  if (askers < FEWEST_PEOPLE) return undefined;
  const outcomes = toOutcomes({ counts, people }, questions);
  return {
    askers,
    questions,
    outcomes,
    failures: toFailures({ counts, people }, outcomes.failed),
    seconds: isFew('result:answer') ? 'few' : toSeconds(counts),
    inChannels: toShare('channel', 'direct'),
    webOff: toShare('web_off', 'web_on'),
    signIn: {
      prompted: show('sign_in:prompted', peopleOf('sign_in:prompted')),
      started: show('sign_in:started', peopleOf('sign_in:started')),
      finished: show('sign_in:finished', peopleOf('sign_in:finished')),
    },
    feedback: {
      good: show('feedback:good', countOf('feedback:good')),
      bad: show('feedback:bad', countOf('feedback:bad')),
    },
  };
}

type Part<Name> = { name: Name; count: number; people: number };

/**
 * The parts of a whole to hide: those of few people. A single hidden part could be computed from the others, so the
 * next smallest part is hidden, too.
 */
function findHidden<Name>(whole: Part<Name>[]): Set<Name> {
  const parts = whole.filter(({ count }) => count > 0).sort((one, other) => one.count - other.count);
  const hidden = parts.filter(({ people }) => people < FEWEST_PEOPLE);
  if (hidden.length === 1) hidden.push(...parts.filter((part) => !hidden.includes(part)).slice(0, 1));
  return new Set(hidden.map(({ name }) => name));
}

const KINDS: Record<string, OutcomeKind> = {
  answer: 'answered',
  stopped: 'stopped',
  cancelled: 'stopped',
  guest: 'refused',
  shared_channel: 'refused',
  cannot_post: 'refused',
  not_allowed_here: 'refused',
  paused: 'refused',
  person_cap: 'refused',
  channel_cap: 'refused',
};

type Result = Part<string> & { kind: OutcomeKind };

function listResults({ counts, people }: Pick<Usage, 'counts' | 'people'>): Result[] {
  return (Object.entries(counts) as [UsageName, number][]).flatMap(([name, count]) => {
    if (!name.startsWith('result:')) return [];
    const code = name.slice('result:'.length);
    return { name: code, kind: KINDS[code] ?? 'failed', count, people: people[name] ?? 0 };
  });
}

function toOutcomes(usage: Pick<Usage, 'counts' | 'people'>, questions: number): Insights['outcomes'] {
  const results = listResults(usage);
  const toPart = (kind: OutcomeKind): Part<OutcomeKind> => {
    const some = results.filter((result) => result.kind === kind);
    const count = some.reduce((sum, result) => sum + result.count, 0);
    // The same people may have several codes, so count only those of the code with the most.
    return { name: kind, count, people: Math.max(0, ...some.map(({ people }) => people)) };
  };
  const whole = OUTCOMES.map(toPart);
  const hidden = findHidden(whole);
  const shares = whole.map(({ name, count }) => [name, hidden.has(name) ? 'few' : count / questions]);
  return Object.fromEntries(shares) as Insights['outcomes'];
}

/** `share`: of the failed questions. If it is hidden, the kinds are hidden, too: their sum would reveal it. */
function toFailures(usage: Pick<Usage, 'counts' | 'people'>, share: number | Hidden): Insights['failures'] {
  if (share === 'few') return { kinds: [], hidden: true };
  const failed = listResults(usage).filter(({ kind }) => kind === 'failed');
  const hidden = findHidden(failed);
  const shown = failed.filter(({ name }) => !hidden.has(name));
  const kinds = shown.map(({ name, count }): [string, number] => [name, count]);
  return { kinds: kinds.sort(([, one], [, other]) => other - one), hidden: hidden.size > 0 };
}

/** The upper bounds of the buckets of these answers. */
function toSeconds(counts: Usage['counts']): Insights['seconds'] {
  const bounds = [...SECONDS, 'more'] as const;
  const numbers = bounds.map((bound) => counts[`seconds:${bound}`] ?? 0);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  if (total === 0) return 'few';
  const toSum = (upTo: number) => numbers.slice(0, upTo + 1).reduce((sum, number) => sum + number, 0);
  const within = (share: number) => bounds.find((_, index) => toSum(index) >= share * total) ?? 'more';
  return { half: within(0.5), most: within(0.95) };
}
