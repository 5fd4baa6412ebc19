// A review that somebody asked for, kept for a while, so that they can turn its pages and act on what they see there.
import type { UnusedRecord } from '../register/overlay.ts';
import { drawsOnTenantPool, type Finding, type UnreadableReason } from './finding.ts';
import { layOutPages, type ReportPage } from './report-pages.ts';
import { listFindings, type Review } from './review.ts';

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

/** Port: of things that are kept for a while. A OnceStore is one. */
export type ReportStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  peek(key: string): Promise<string | undefined>;
};

export type Reports = {
  keep(review: Review, beside?: { unused: readonly UnusedRecord[] }): Promise<ReportHead>;
  /** Undefined: there is no such report any more, or no such page. */
  read(id: string, page: number): Promise<{ head: ReportHead; page: ReportPage } | undefined>;
  /** One finding of a page, by its key. */
  find(id: string, page: number, key: string): Promise<{ head: ReportHead; finding: Finding } | undefined>;
};

/** Long enough for a working day; by then the truth has moved on. */
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
    async find(id, page, key) {
      const found = await read(id, page);
      const finding = found && [...listFindings(found.page)].find((one) => one.key === key);
      return found && finding && { head: found.head, finding };
    },
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
