import { createRules } from '../conversation/channel-rules.ts';
import { createAuditTable } from '../governance/audit/audit-records.ts';
import { type AuditOptions, createAuditLog } from '../governance/audit/chained-log.ts';
import { createChanges } from '../governance/changes/change-records.ts';
import { createConsumption } from '../governance/consumption/consumption-history.ts';
import { createOverlay } from '../governance/register/overlay.ts';
import { createReviews } from '../governance/review/review-store.ts';
import { createLinks } from '../identity/account-link.ts';
import { createInstallations } from '../slack/installation.ts';
import { dropAll, type Kernel } from '../storage/kernel.ts';
import { createUsage } from '../usage/usage-records.ts';
import { createExpiring } from './expiring.ts';

/** The key that `check` writes. */
const CHECK = 'check';
const CHECK_TTL_MS = 60_000;

/** Everything that is kept as documents. `purge`: of one workspace. */
export function createRecords(kernel: Kernel, now: () => number, audit?: AuditOptions) {
  const once = createExpiring(kernel);
  return {
    links: createLinks(kernel),
    once,
    changes: createChanges(kernel),
    audit: createAuditLog(createAuditTable(kernel), audit),
    overlay: createOverlay(kernel),
    reviews: createReviews(kernel, once),
    installations: createInstallations(kernel),
    rules: createRules(kernel),
    usage: createUsage(kernel),
    consumption: createConsumption(kernel),
    async purge(workspace: string) {
      await kernel.clear();
      return dropAll(kernel, `workspace:${workspace}`);
    },
    // A write, not a read: a disk that is full can still be read, and so can such a Redis.
    check: () => once.put(CHECK, '', now() + CHECK_TTL_MS),
  };
}
