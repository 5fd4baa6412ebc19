// A review that somebody asked for, kept for a while, so that they can turn its pages and act on what they see there.
import type { Finding } from './finding.ts';
import { type EnvironmentReview, listFindings, type Review } from './review.ts';

/** All of a review but its findings. */
export type ReportHead = Pick<Review, 'at' | 'registerHash' | 'gaps' | 'summary'> & {
  /** Short, of letters and digits. */
  id: string;
  /** 0: everything is in order. */
  pageCount: number;
};

/** What is not in order on one page, environment by environment. Agents without an environment are on the last one. */
export type ReportPage = Pick<Review, 'environments' | 'strayAgents'>;

/** Port: of things that are kept for a while. A OnceStore is one. */
export type ReportStore = {
  /** `expiresAt`: epoch ms. */
  put(key: string, value: string, expiresAt: number): Promise<void>;
  peek(key: string): Promise<string | undefined>;
};

export type Reports = {
  keep(review: Review): Promise<ReportHead>;
  /** Undefined: there is no such report any more, or no such page. */
  read(id: string, page: number): Promise<{ head: ReportHead; page: ReportPage } | undefined>;
  /** One finding of a page, by its key. */
  find(id: string, page: number, key: string): Promise<{ head: ReportHead; finding: Finding } | undefined>;
};

/** As many as fit into one message with their buttons, whatever they are like. */
export const FINDINGS_PER_PAGE = 8;

/** Long enough for a working day; by then the truth has moved on. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function createReports(store: ReportStore, { createId, now }: { createId(): string; now(): number }): Reports {
  async function read(id: string, page: number) {
    const [head, body] = await Promise.all([store.peek(toKey(id)), store.peek(toKey(id, page))]);
    if (head === undefined || body === undefined) return undefined;
    return { head: JSON.parse(head) as ReportHead, page: JSON.parse(body) as ReportPage };
  }

  return {
    async keep(review) {
      const { at, registerHash, gaps, summary } = review;
      const id = createId();
      const expiresAt = now() + KEPT_MS;
      const pages = toPages(review);
      for (const [index, page] of pages.entries()) await store.put(toKey(id, index), JSON.stringify(page), expiresAt);
      const head: ReportHead = { id, at, registerHash, gaps, summary, pageCount: pages.length };
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

/** An environment that is in order comes along for its agents that are not. One with many agents takes several pages. */
function toPages({ environments, strayAgents }: Review): ReportPage[] {
  const pages: ReportPage[] = [];
  let room = 0;
  /** The last page, or a new one where it has no room for so many. */
  const pageFor = (findings: number): ReportPage => {
    const last = pages.at(-1);
    if (last !== undefined && room >= findings) return last;
    const page: ReportPage = { environments: [], strayAgents: [] };
    pages.push(page);
    room = FINDINGS_PER_PAGE;
    return page;
  };
  for (const { environment, agents } of environments) {
    const rest = agents.filter(isOpen);
    if (!isOpen(environment) && rest.length === 0) continue;
    do {
      // The environment's own line, and one agent at least.
      const page = pageFor(2);
      const part: EnvironmentReview = { environment, agents: rest.splice(0, room - 1) };
      page.environments.push(part);
      room -= 1 + part.agents.length;
    } while (rest.length > 0);
  }
  for (const agent of strayAgents.filter(isOpen)) {
    pageFor(1).strayAgents.push(agent);
    room -= 1;
  }
  return pages;
}

function isOpen({ status }: Finding): boolean {
  return status !== 'compliant' && status !== 'approved_exception';
}
