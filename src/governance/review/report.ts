// The report of a review, kept for a day, so that its pages can be turned and its findings acted on.
import type { UnusedRecord } from '../register/overlay.ts';
import { drawsOnTenantPool, type Finding, type UnreadableReason } from './finding.ts';
import { type EnvironmentReview, listFindings, type Review } from './review-summary.ts';

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
};

/** Port: keeps values for a while. An ExpiringStore is one. */
export type ReportStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  peek(key: string): Promise<string | undefined>;
};

export type Reports = {
  keep(review: Review, beside?: { unused: readonly UnusedRecord[] }): Promise<ReportHead>;
  /** Undefined where the report has expired, or has no such page. */
  read(id: string, page: number): Promise<{ head: ReportHead; page: ReportPage } | undefined>;
};

/** Long enough for a working day; after that it is out of date. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** One after the other takes minutes where there are hundreds; all at once would hold up what else is to be stored. */
const PUTS_AT_ONCE = 20;

const MAX_NAMES = 5;

export function createReports(store: ReportStore, { createId, now }: { createId(): string; now(): number }): Reports {
  async function read(id: string, page: number) {
    const [head, body] = await Promise.all([store.peek(toKey(id)), store.peek(toKey(id, page))]);
    if (head === undefined || body === undefined) return undefined;
    return { head: JSON.parse(head) as ReportHead, page: JSON.parse(body) as ReportPage };
  }

  async function putPages(id: string, pages: ReportPage[], expiresAt: number): Promise<void> {
    const entries = [...pages.entries()];
    while (entries.length > 0) {
      const some = entries.splice(0, PUTS_AT_ONCE);
      await Promise.all(some.map(([index, page]) => store.put(toKey(id, index), JSON.stringify(page), expiresAt)));
    }
  }

  return {
    async keep(review, { unused } = { unused: [] }) {
      const { at, registerHash, gaps, summary } = review;
      const id = createId();
      const endedAt = now();
      const expiresAt = endedAt + KEPT_MS;
      const { pages, ...told } = layOutPages(review);
      await putPages(id, pages, expiresAt);
      const head: ReportHead = {
        ...{ id, at, endedAt, registerHash, gaps, summary, pageCount: pages.length },
        ...told,
        newOnTenantPool: listNewOnTenantPool(review),
        unused: countReasons(unused),
      };
      await store.put(toKey(id), JSON.stringify(head), expiresAt);
      return head;
    },
    read,
  };
}

function toKey(id: string, page?: number): string {
  return `report:${id}${page === undefined ? '' : `:${page}`}`;
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

/** `coveredAgents`: not listed themselves, because their environment has to be dealt with first. */
type EnvironmentOnPage = EnvironmentReview & { coveredAgents: number };

/** What is not in order on one page, environment by environment. Agents without an environment are on the last one. */
export type ReportPage = { environments: EnvironmentOnPage[]; strayAgents: Review['strayAgents'] };

type ReportPages = {
  pages: ReportPage[];
  /** Agents that stand under their environment's finding: it is not in the register, or has gone. */
  covered: number;
  /** Reasons for which so much could not be told that it is said once instead of one by one. */
  told: UnreadableReason[];
  /** Findings that are beyond the last page that is kept. */
  cut: number;
};

/** As many as fit into one message with their buttons, whatever they are like. */
export const FINDINGS_PER_PAGE = 8;

/** About 3 MB at worst; nobody turns more pages than this, and correcting the register's defaults helps sooner. */
const MAX_PAGES = 500;

/** Past this, unreadable findings of one reason say nothing that the reason does not. */
const MAX_LISTED_PER_REASON = 50;

/** Of the deployment, never of one agent. */
const DEPLOYMENT_REASONS = ['limit_not_told', 'limit_not_verified'];

/**
 * New environments that draw on the tenant's pool come first, the rest in the order of the review. An environment that
 * is in order comes along for its agents that are not; one with many agents takes several pages.
 */
function layOutPages(review: Review): ReportPages {
  const told = findToldReasons(review);
  const isListed = (finding: Finding) =>
    isOpen(finding) && !(finding.status === 'unreadable' && told.includes(finding.reason ?? ''));
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
    const isCovering = environment.status === 'unclassified' || environment.status === 'vanished';
    const coveredAgents = isCovering ? agents.length : 0;
    const rest = isCovering ? [] : agents.filter(isListed);
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
  const cut = beyond.difference(listKeys(pages, isListed)).size;
  return { pages, covered, told, cut };
}

/** An environment with many agents is on several pages, and counts once. */
function listKeys(pages: readonly ReportPage[], isListed: (finding: Finding) => boolean): Set<string> {
  return new Set(pages.flatMap((page) => [...listFindings(page)].filter(isListed).map(({ key }) => key)));
}

function isOpen({ status }: Finding): boolean {
  return status !== 'compliant' && status !== 'approved_exception';
}

function putFirst(environments: Review['environments']): EnvironmentReview[] {
  const isFirst = ({ environment }: EnvironmentReview) => drawsOnTenantPool(environment);
  return [...environments.filter(isFirst), ...environments.filter((review) => !isFirst(review))];
}

function findToldReasons(review: Review): UnreadableReason[] {
  const counts = new Map<UnreadableReason, number>();
  for (const { status, reason } of listFindings(review)) {
    if (status === 'unreadable' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const isTold = ([reason, count]: [string, number]) =>
    DEPLOYMENT_REASONS.includes(reason) || count > MAX_LISTED_PER_REASON;
  return [...counts].filter(isTold).map(([reason]) => reason);
}
