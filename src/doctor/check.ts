import type { AuditReader } from '../audit/audit-log.ts';
import type { Config } from '../config.ts';
import type { TurnCounts } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import type { SentStore } from '../governance/run/run-store.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { ExpiringStore, LinkStore } from '../identity/account-link.ts';
import type { PolicyStore } from '../policy/policy-store.ts';
import type { InstallationStore } from '../slack/installation.ts';

type Level = 'ok' | 'warning' | 'error';

/** One result of the doctor. `error`: something does not work, or will soon stop working. */
export type Finding = {
  level: Level;
  sentence: string;
  /** Lines below the sentence. */
  details?: string[];
  /** The variable that it is about, if known. Perhaps several, as in `A or B`. */
  variable?: string;
};

export type Section = { title: string; findings: Finding[] };

/** Checks of one section are shown under its title, in the order of the table of examine.ts. */
type SectionTitle =
  | 'App'
  | 'Audit log'
  | 'Configuration'
  | 'Encryption keys'
  | 'Installations'
  | 'Policy'
  | 'Questions'
  | 'Requests from Slack'
  | 'Services'
  | 'Sign-in'
  | 'Slack'
  | 'Store'
  | 'This machine';

/** One thing that the doctor looks at. A new one is an entry in the table of examine.ts. */
export type Check = {
  /** The subject of sentences such as `The audit log could not be checked`. */
  name: string;
  section: SectionTitle;
  /** All sentences of this check. */
  words: Words;
  look(sight: Sight): Found | Promise<Found>;
};

/** What a check may use. The first check that needs the app or the store looks at it, once for all. */
export type Sight = {
  config: Config;
  http: HttpClient;
  stage: Stage;
  app(): Promise<AppSeen>;
  store(): Promise<StoreSeen>;
  /** How far our clock is ahead of a service's, in ms, by the origin of the service. */
  aheadMs: ReadonlyMap<string, number>;
};

/** `status` 0: there was no answer. */
export type ProbeAnswer = { status: number; word: string | undefined };

/** `isReady`: an app on this machine says that it is ready, so it can write to its store. */
export type AppSeen = { ready: ProbeAnswer; health: ProbeAnswer; isReady: boolean };

/** `isNew`: the first start has not made the store yet. No reader: it is new, or `findings` say what is wrong. */
export type StoreSeen = { reader?: StoreReader; isNew: boolean; findings: Finding[] };

/** Reads a store while the app uses it. Never writes. */
export type StoreReader = {
  /** Findings about the store itself. */
  findings: Finding[];
  counts(): Promise<TurnCounts>;
  /** The id of the turn of `oldestAcceptedAt`. It may have ended since. */
  oldestTurn(): Promise<string | undefined>;
  deadLetters(limit: number): Promise<Turn[]>;
  installations: Pick<InstallationStore, 'get' | 'list'>;
  audit: AuditReader;
  links: Pick<LinkStore, 'get' | 'list'>;
  policy: Pick<PolicyStore, 'read'>;
  sent: Pick<SentStore, 'readFor'>;
  once: Pick<ExpiringStore, 'peek'>;
  close(): Promise<void>;
};

/** Whether the app should be running. Before the first start, it is no error that nothing listens or was received. */
export type Stage = 'running' | 'before start';

export type Found = Finding | undefined | readonly Found[];

/** All findings in one list. */
export function toList(found: Found): Finding[] {
  if (found === undefined) return [];
  return 'level' in found ? [found] : found.flatMap(toList);
}

const LEVELS = { '✓': 'ok', '!': 'warning', '✗': 'error' } as const satisfies Record<string, Level>;

/** The sentences of a check. Each begins with its mark in the report. `{name}` stands for a value. */
export type Words = Record<string, `${keyof typeof LEVELS} ${string}`>;

type ValueNames<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | ValueNames<Rest> : never;

type Values<Sentence> = Record<ValueNames<Sentence>, string | number>;

/** `say` makes a finding from a sentence and its values. */
export function speak<const W extends Words>(words: W) {
  function say<Word extends keyof W>(
    word: Word,
    ...[values]: [ValueNames<W[Word]>] extends [never] ? [] : [Values<W[Word]>]
  ): Finding {
    const [mark, sentence] = splitMark(words[word] ?? '✗ ');
    const filled = sentence.replace(/\{(\w+)\}/g, (_, name) => String(values?.[name as keyof typeof values]));
    return { level: LEVELS[mark], sentence: filled };
  }
  return { words, say };
}

function splitMark(text: Words[string]): [keyof typeof LEVELS, string] {
  return [text.charAt(0) as keyof typeof LEVELS, text.slice(2)];
}

/** `1 question`, `2 questions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `All is well.`, or the numbers of errors and warnings. */
export function sumUp(sections: Section[]): string {
  const levels = sections.flatMap(({ findings }) => findings.map(({ level }) => level));
  const errors = levels.filter((level) => level === 'error').length;
  const warnings = levels.filter((level) => level === 'warning').length;
  if (errors + warnings === 0) return 'All is well.';
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
