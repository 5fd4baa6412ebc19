// The report of a review, kept for a day or longer, so that its pages can be turned and its findings acted on.
import type { UnusedRecord } from '../register/overlay.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type Candidate, type CandidateKind, listCandidates } from './bulk-candidates.ts';
import {
  drawsOnTenantPool,
  type EnvironmentFinding,
  type Finding,
  isLimitToSet,
  type UnreadableReason,
} from './finding.ts';
import { type EnvironmentReview, isCovering, listFindings, type Review } from './review-summary.ts';

/** All of a review but its findings. */
export type ReportHead = Pick<Review, 'at' | 'registerHash' | 'gaps' | 'summary'> & {
  /** Short, of letters and digits. */
  id: string;
  /** Epoch ms: when it ended. */
  endedAt: number;
  /** 0: nothing is listed. */
  pageCount: number;
  /** Names of new environments that draw on the tenant's pool, the first few. Untrusted. */
  newOnTenantPool: string[];
  /** Agents that stand under their environment's finding, and are not listed themselves. */
  covered: number;
  /** Reasons of what is unreadable and not listed one by one. */
  told: UnreadableReason[];
  /** How many findings are not kept, because there are so many. */
  cut: number;
  /** Decisions made in Slack that add nothing to the register, by the reason. */
  unused: { [reason in UnusedRecord['reason']]?: number };
  /** How long it is kept. Undefined: for a day. */
  keptDays?: number;
  /** What can be corrected all at once: how many of each kind are kept, and how many are not. */
  candidates?: { counts: { [kind in CandidateKind]?: number }; cut: number };
};

/** `coveredAgents`: not listed themselves, because their environment has to be dealt with first. */
type EnvironmentOnPage = EnvironmentReview & { coveredAgents: number };

/** What is not in order on one page, environment by environment. Agents without an environment are on the last one. */
export type ReportPage = { environments: EnvironmentOnPage[]; strayAgents: Review['strayAgents'] };

/** Port: keeps values for a while. An ExpiringStore is one. */
type ReportStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  peek(key: string): Promise<string | undefined>;
};

type Reader = { workspace: string; user: string };

export type Reports = {
  /** For a day unless `keptDays` says more. */
  keep(review: Review, beside?: { unused: readonly UnusedRecord[]; keptDays?: number }): Promise<ReportHead>;
  /** Undefined where the report has expired. */
  readHead(id: string): Promise<ReportHead | undefined>;
  /** Notes a report as the latest of a person. */
  remember(person: Reader, id: string): Promise<void>;
  /** The id of the latest report of a person; undefined where none is kept. */
  latest(person: Reader): Promise<string | undefined>;
  /** Undefined where the report has expired, or has no such page. */
  read(id: string, page: number): Promise<{ head: ReportHead; page: ReportPage } | undefined>;
  /** Undefined where the report has expired. */
  readCandidates(id: string): Promise<{ head: ReportHead; candidates: Candidate[] } | undefined>;
};

/** A day is long enough for whoever waits for it. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** One after the other takes minutes where there are hundreds; all at once would hold up what else is to be stored. */
const PUTS_AT_ONCE = 20;

const READS_AT_ONCE = 20;

const MAX_NAMES = 5;

/** As many as fit into one message with their buttons, whatever they are like. */
export const FINDINGS_PER_PAGE = 8;

/** About 3 MB at worst; nobody turns more pages than this, and correcting the register's defaults helps sooner. */
const MAX_PAGES = 500;

/** Past this, unreadable findings of one reason say nothing that the reason does not. */
const MAX_LISTED_PER_REASON = 50;

/** Agents whose limit is only to be set are listed up to here, so that drift is not crowded out. */
const MAX_LIMITS_TO_SET = 3_200;

/** About 6 MB at worst. The next review finds the others. */
const MAX_CANDIDATES = 10_000;

const CANDIDATES_PER_PART = 50;

/** Those of the whole report that the register does not name, in its order. A report does not change, nor does this. */
export async function listUnclassified(
  { id, pageCount }: Pick<ReportHead, 'id' | 'pageCount'>,
  reports: Pick<Reports, 'read'>,
): Promise<EnvironmentFinding[]> {
  const numbers = Array.from({ length: pageCount }, (_, number) => number);
  const pages = await mapConcurrently(numbers, READS_AT_ONCE, (number) => reports.read(id, number));
  const all = pages.flatMap((found) => found?.page.environments ?? []).map(({ environment }) => environment);
  return all.filter(({ status }) => status === 'unclassified');
}

export function createReports(store: ReportStore, { createId, now }: { createId(): string; now(): number }): Reports {
  async function read(id: string, page: number) {
    const [head, body] = await Promise.all([store.peek(toKey(id)), store.peek(toKey(id, page))]);
    if (head === undefined || body === undefined) return undefined;
    return { head: JSON.parse(head) as ReportHead, page: JSON.parse(body) as ReportPage };
  }

  async function readCandidates(id: string) {
    const text = await store.peek(toKey(id));
    const head = text === undefined ? undefined : (JSON.parse(text) as ReportHead);
    if (head?.candidates === undefined) return undefined;
    const total = Object.values(head.candidates.counts).reduce((sum, count) => sum + count, 0);
    const candidates: Candidate[] = [];
    for (let part = 0; candidates.length < total; part += 1) {
      const body = await store.peek(toKey(id, `candidates:${part}`));
      if (body === undefined) return undefined;
      candidates.push(...(JSON.parse(body) as Candidate[]));
    }
    return { head, candidates };
  }

  async function putAll(values: [key: string, value: unknown][], expiresAt: number): Promise<void> {
    const left = [...values];
    while (left.length > 0) {
      const some = left.splice(0, PUTS_AT_ONCE);
      await Promise.all(some.map(([key, value]) => store.put(key, JSON.stringify(value), expiresAt)));
    }
  }

  return {
    async keep(review, { unused, keptDays } = { unused: [] }) {
      const { at, registerHash, gaps, summary } = review;
      const id = createId();
      const endedAt = now();
      const expiresAt = endedAt + (keptDays ?? 1) * DAY_MS;
      const { pages, ...told } = layOutPages(review);
      const all = listCandidates(review);
      const kept = all.slice(0, MAX_CANDIDATES);
      await putAll(
        pages.map((page, index) => [toKey(id, index), page]),
        expiresAt,
      );
      await putAll(
        toParts(kept).map((part, index) => [toKey(id, `candidates:${index}`), part]),
        expiresAt,
      );
      const head: ReportHead = {
        ...{ id, at, endedAt, registerHash, gaps, summary, pageCount: pages.length },
        ...told,
        newOnTenantPool: listNewOnTenantPool(review),
        unused: countReasons(unused),
        ...(keptDays !== undefined && { keptDays }),
        candidates: { counts: countKinds(kept), cut: all.length - kept.length },
      };
      await store.put(toKey(id), JSON.stringify(head), expiresAt);
      return head;
    },
    async readHead(id) {
      const head = await store.peek(toKey(id));
      return head === undefined ? undefined : (JSON.parse(head) as ReportHead);
    },
    remember: (person, id) => store.put(toLatestKey(person), id, now() + DAY_MS),
    latest: (person) => store.peek(toLatestKey(person)),
    read,
    readCandidates,
  };
}

/** Named in once-keys.ts. */
function toLatestKey({ workspace, user }: Reader): string {
  return `report-latest:${workspace}:${user}`;
}

/** `part`: a page, by its number, or something else of it. */
function toKey(id: string, part?: number | string): string {
  return `report:${id}${part === undefined ? '' : `:${part}`}`;
}

function toParts(candidates: readonly Candidate[]): Candidate[][] {
  const count = Math.ceil(candidates.length / CANDIDATES_PER_PART);
  return Array.from({ length: count }, (_, part) =>
    candidates.slice(part * CANDIDATES_PER_PART, (part + 1) * CANDIDATES_PER_PART),
  );
}

function countKinds(candidates: readonly Candidate[]): NonNullable<ReportHead['candidates']>['counts'] {
  const byKind = Map.groupBy(candidates, ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, own]) => [kind, own.length]));
}

type ReportPages = {
  pages: ReportPage[];
  /** Agents that stand under their environment's finding: it is not in the register, or has gone. */
  covered: number;
  /** Reasons for which so much could not be told that it is said once instead of one by one. */
  told: UnreadableReason[];
  /** Findings that are beyond the last page that is kept. */
  cut: number;
};

/**
 * New environments that draw on the tenant's pool come first, the rest in the order of the review. An environment that
 * is in order comes along for its agents that are not; one with many agents takes several pages.
 */
function layOutPages(review: Review): ReportPages {
  const told = findToldReasons(review);
  const crowded = new Set([...listFindings(review)].filter(isLimitToSet).slice(MAX_LIMITS_TO_SET));
  const isRepeated = (finding: Finding) =>
    finding.status === 'unreadable' && !isLimitToSet(finding) && told.includes(finding.reason ?? '');
  const isListed = (finding: Finding) => !isInOrder(finding) && !isRepeated(finding) && !crowded.has(finding);
  const pages: ReportPage[] = [];
  let [room, covered] = [0, 0];
  /** The last page, or a new one where it has no room for so many. */
  const pageFor = (findings: number): ReportPage => {
    const last = pages.at(-1);
    if (last !== undefined && room >= findings) return last;
    const page: ReportPage = { environments: [], strayAgents: [] };
    pages.push(page);
    room = FINDINGS_PER_PAGE;
    return page;
  };
  for (const { environment, agents } of putFirst(review.environments)) {
    const coveredAgents = isCovering(environment) ? agents.length : 0;
    const rest = isCovering(environment) ? [] : agents.filter(isListed);
    covered += coveredAgents;
    if (!isListed(environment) && rest.length === 0) continue;
    do {
      // The environment's own line, and one agent at least where there are some.
      const page = pageFor(Math.min(2, 1 + rest.length));
      const part = { environment, agents: rest.splice(0, room - 1), coveredAgents };
      page.environments.push(part);
      room -= 1 + part.agents.length;
    } while (rest.length > 0);
  }
  for (const agent of review.strayAgents.filter(isListed)) {
    pageFor(1).strayAgents.push(agent);
    room -= 1;
  }
  const beyond = listKeys(pages.splice(MAX_PAGES), isListed);
  const cut = beyond.difference(listKeys(pages, isListed)).size + crowded.size;
  return { pages, covered, told, cut };
}

function listNewOnTenantPool({ environments }: Review): string[] {
  const drawing = environments.filter(({ environment }) => drawsOnTenantPool(environment));
  return drawing.slice(0, MAX_NAMES).map(({ environment }) => environment.name);
}

function countReasons(unused: readonly UnusedRecord[]): ReportHead['unused'] {
  const counts: ReportHead['unused'] = {};
  for (const { reason } of unused) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** An environment with many agents is on several pages, and counts once. */
function listKeys(pages: readonly ReportPage[], isListed: (finding: Finding) => boolean): Set<string> {
  return new Set(pages.flatMap((page) => [...listFindings(page)].filter(isListed).map(({ key }) => key)));
}

export function isInOrder({ status }: Finding): boolean {
  return status === 'compliant' || status === 'as_far_as_told' || status === 'approved_exception';
}

function putFirst(environments: Review['environments']): EnvironmentReview[] {
  const isFirst = ({ environment }: EnvironmentReview) => drawsOnTenantPool(environment);
  return [...environments.filter(isFirst), ...environments.filter((review) => !isFirst(review))];
}

function findToldReasons(review: Review): UnreadableReason[] {
  const counts = new Map<UnreadableReason, number>();
  for (const finding of listFindings(review)) {
    const { status, reason } = finding;
    if (status !== 'unreadable' || reason === undefined || isLimitToSet(finding)) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_LISTED_PER_REASON).map(([reason]) => reason);
}
