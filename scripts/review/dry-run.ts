import { setTimeout as sleep } from 'node:timers/promises';
import { openReader } from '../../src/doctor/store-reader.ts';
import { UserError } from '../../src/errors.ts';
import type { Sheet } from '../../src/governance/exports/sheet.ts';
import { openRegisterFile } from '../../src/governance/register/register-file.ts';
import { type Approved, type ReadyRegister, readApproved } from '../../src/governance/review/approved-state.ts';
import { buildReviewSheet } from '../../src/governance/review/report-sheet.ts';
import { countNotInOrder, isInOrderAsTold, type Review } from '../../src/governance/review/review-summary.ts';
import { openLimits, runReview } from '../../src/governance/review/run-review.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { AGENT_CURRENCY, LIMIT_STALE_MS, toAdminClient } from '../../src/wiring/connect-governance.ts';
import { type ReviewConfig, readToken } from './review-access.ts';

/** `approved`: everything was read, and is as approved, as far as the service shows it (see isInOrderAsTold). `unknown`: nothing is known to be wrong, and not all could be read. */
export type ReviewOutcome = 'approved' | 'findings' | 'unknown';

export type DryRun = {
  outcome: ReviewOutcome;
  sheet: Sheet;
  about: ReturnType<typeof describeReview> & { outcome: ReviewOutcome; decisions: 'read' | 'no_store' };
};

/** Of all its waits and reads together. */
const LIMIT_MS = 60 * 60_000;

/**
 * Reads and compares everything once, and writes nothing. `tell`: what a person who watches wants to know. Throws a
 * BridgeError with a sentence where it cannot begin.
 */
export async function reviewDry(config: ReviewConfig, tell: (line: string) => void): Promise<DryRun> {
  const now = Date.now;
  const http = createHttpClient({ proxies: config });
  const store = await openReader(config);
  try {
    const client = toAdminClient({ config, http, now });
    if (!client) throw new UserError('no_interface', 'Set ADMIN_API_BASE_URL.');
    const overlay = store?.overlay ?? { list: async () => [] };
    const approved = requireReady(await readApproved({ readRegister: toReadRegister(config), overlay }));
    const token = await readToken(config, store, now());
    const session = client.openSession({ token, renew: refuseToRenew });
    const changes = store?.changes ?? { lastSet: async () => undefined };
    const { register, registerHash } = approved;
    const review = await runReview(
      { ...session, openLimits: () => openLimits({ session, changes, now }) },
      {
        ...{ register, registerHash, currency: AGENT_CURRENCY, now },
        limitStaleMs: LIMIT_STALE_MS,
        signal: AbortSignal.timeout(LIMIT_MS),
        async wait(ms, signal, cause) {
          tell(`waiting ${Math.round(ms / 1000)} s (${cause})`);
          await sleep(ms, undefined, { signal });
        },
        onUnexpected: (error) => tell(`could not read: ${error instanceof Error ? error.message : String(error)}`),
      },
    );
    const outcome = toOutcome(review, store !== undefined);
    const sheet = withoutStore(buildReviewSheet(review), outcome === 'unknown' && store === undefined);
    const decisions = store ? 'read' : 'no_store';
    return { outcome, sheet, about: { outcome, decisions, ...describeReview(review) } };
  } finally {
    await Promise.all([store?.close(), http.close()]);
  }
}

function toReadRegister({ GOVERNANCE_REGISTER: path }: ReviewConfig) {
  return path ? openRegisterFile(path) : async () => 'none' as const;
}

function requireReady(approved: Approved): ReadyRegister {
  switch (approved.kind) {
    case 'ready':
      return approved;
    case 'none':
      throw new UserError('no_register', 'Set GOVERNANCE_REGISTER to the file of the register.');
    case 'unreadable_file':
      throw new UserError('register_unreadable', 'The file of the register cannot be read.', { cause: approved.error });
    case 'problems':
      throw new UserError(
        'register_wrong',
        approved.problems.map(({ line, sentence }) => `Line ${line}: ${sentence}`).join('\n'),
      );
  }
}

async function refuseToRenew(): Promise<never> {
  throw new UserError('token_refused', 'the token was refused, and a dry run renews none');
}

function describeReview({ registerHash, summary }: Review) {
  return {
    registerHash,
    isCompliant: summary.isCompliant,
    isInOrderAsTold: isInOrderAsTold(summary),
    notInOrder: countNotInOrder(summary),
    newOnTenantPool: summary.newOnTenantPool,
    notReviewed: summary.notReviewed,
    summary,
  };
}

/** Without the store nobody knows which limits were set from here. */
function withoutStore(sheet: Sheet, isMissed: boolean): Sheet {
  return isMissed ? { ...sheet, gaps: [...sheet.gaps, 'no_store'] } : sheet;
}

/** What is wrong counts for more than what could not be read. */
function toOutcome({ summary }: Review, hasStore: boolean): ReviewOutcome {
  const { environments, agents, isCompliant } = summary;
  const found = [environments, agents].some(({ drift, unclassified, vanished }) => drift + unclassified + vanished > 0);
  if (found) return 'findings';
  return isCompliant || (hasStore && isInOrderAsTold(summary)) ? 'approved' : 'unknown';
}
