import { type AuditOptions, createAuditLog } from '../audit/chained-log.ts';
import { createCapCounter } from '../conversation/question-caps.ts';
import { createSchedules } from '../conversation/schedules.ts';
import { createApprovalStore } from '../governance/approval/approval-store.ts';
import { createConsumption } from '../governance/consumption/consumption-history.ts';
import { createKnownInventory } from '../governance/inventory/known-inventory.ts';
import { createRunStore, createSentStore } from '../governance/run/run-store.ts';
import { createLinks } from '../identity/account-link.ts';
import { createPolicyStore } from '../policy/policy-store.ts';
import { createInstallations } from '../slack/installation.ts';
import { dropAll, type Kernel } from '../storage/kernel.ts';
import { createUsage } from '../usage/usage-records.ts';
import { createExpiring } from './expiring.ts';

/** The key that `check` writes. */
const CHECK = 'check';
const CHECK_TTL_MS = 60_000;

/** All records that are kept as documents. `purge`: removes those of one workspace. */
export function createRecords(kernel: Kernel, now: () => number, audit?: AuditOptions) {
  const once = createExpiring(kernel);
  return {
    links: createLinks(kernel),
    once,
    audit: createAuditLog(kernel, audit),
    policy: createPolicyStore(kernel),
    runs: createRunStore(kernel),
    approvals: createApprovalStore(kernel),
    sent: createSentStore(kernel),
    known: createKnownInventory(kernel, now),
    installations: createInstallations(kernel),
    caps: createCapCounter(kernel, now),
    schedules: createSchedules(kernel),
    usage: createUsage(kernel),
    consumption: createConsumption(kernel),
    async purge(workspace: string) {
      await kernel.clear();
      return dropAll(kernel, `workspace:${workspace}`);
    },
    // A write, not a read: a full disk or a full Redis can still be read.
    check: () => once.put(CHECK, '', now() + CHECK_TTL_MS),
  };
}
