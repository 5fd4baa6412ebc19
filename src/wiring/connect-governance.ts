import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import { createAdminClient } from '../admin-api/admin-client.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import { type AdminListenerPorts, registerAdminListeners } from '../governance/admin-listeners.ts';
import { withHeadLogging } from '../governance/audit/audit-log.ts';
import { createAuditedChanges } from '../governance/audit/audited-changes.ts';
import { createInventoryCache } from '../governance/inventory/inventory-cache.ts';
import { ADMIN_COMMAND } from '../governance/lists/admin-command.ts';
import { openRegisterFile } from '../governance/register/register-in-worker.ts';
import { createReports } from '../governance/review/report.ts';
import { createReviewSchedule } from '../governance/scheduled-review/review-schedule.ts';
import { createScheduledReview, type ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import { registerNotSetUp } from '../governance/shell/admin-shell.ts';
import { createAllowance, UNLIMITED } from '../governance/shell/allowance.ts';
import { createExclusively } from '../governance/shell/concurrency.ts';
import type { Identity } from '../identity/identity.ts';
import type { AnswerClicks } from '../slack/answer-clicks.ts';
import type { ReadGroupMembers } from '../slack/user-groups.ts';
import type { Parts } from './parts.ts';

type Rest = {
  identity: Identity;
  background: BackgroundWork;
  groupMembers: ReadGroupMembers;
  clicks: AnswerClicks;
  interactions: App;
};

/** The admin features. `review` is undefined where none is configured. */
export type Governance = { review: ScheduledReview | undefined };

/** Registers the admin listeners. */
export function connectGovernance(parts: Parts, { identity, interactions, ...rest }: Rest): Governance {
  const admin = connectAdmin(parts, identity, rest);
  if (admin) registerAdminListeners(interactions, admin);
  else registerNotSetUp(interactions, ADMIN_COMMAND);
  return { review: connectReview(parts, identity, admin) };
}

/** What `/assistant-admin` needs. Undefined where there is no administrative interface. */
export function connectAdmin(
  parts: Parts,
  { accessTokens, linkFlow }: Identity,
  rest: { background: BackgroundWork; groupMembers: ReadGroupMembers; clicks: AnswerClicks },
): AdminListenerPorts | undefined {
  const { config, http, log, call, people, channels, messenger, findInstallation, now } = parts;
  const { store, withLock } = parts.backend;
  if (!config.ADMIN_API_BASE_URL) return undefined;
  const { background, groupMembers, clicks } = rest;
  // With the heads in the process log, a truncated audit log can be detected.
  const audit = withHeadLogging(store.audit, (head) => log.info(head, 'audit head'));
  const client = createAdminClient({
    http,
    baseUrl: config.ADMIN_API_BASE_URL,
    apiVersion: config.ADMIN_API_VERSION,
    resourceTypePrefix: config.ADMIN_RESOURCE_PREFIX,
    tableName: config.ADMIN_TABLE_NAME,
    currency: config.ADMIN_CURRENCY,
    agentIdProperty: config.ADMIN_AGENT_ID_PROPERTY,
    now,
  });
  return {
    rules: config.ADMIN_USERS,
    lookups: {
      groupMembers,
      async isWorkspaceAdmin(workspace, user, options) {
        const { isMember, isWorkspaceAdmin } = await people.profile(workspace, user, options);
        return isMember && isWorkspaceAdmin;
      },
    },
    isSignedIn: async (person) => Boolean((await store.links.get({ ...person, purpose: 'admin' }))?.sealedTokens),
    async signedInAs(person) {
      const link = await store.links.get({ ...person, purpose: 'admin' });
      return link?.sealedTokens ? (link.accountName ?? '') : undefined;
    },
    directoryId: async (person) => (await store.links.get({ ...person, purpose: 'admin' }))?.directoryId,
    homeTeam: async ({ workspace, user }) => (await people.profile(workspace, user)).homeTeam,
    async openSession(person) {
      const key = { ...person, purpose: 'admin' } as const;
      const token = await accessTokens.accessTokenFor(key);
      return client.openSession({ token, renew: (rejected) => accessTokens.renew(key, rejected) });
    },
    signInVariant: linkFlow.variant,
    changes: createAuditedChanges(store.changes, audit, now),
    audit,
    exclusively: createExclusively(withLock),
    readRegister: config.GOVERNANCE_REGISTER ? openRegisterFile(config.GOVERNANCE_REGISTER) : async () => 'none',
    overlay: store.overlay,
    reports: createReports(store.once, { createId: () => randomUUID().replaceAll('-', '').slice(0, 12), now }),
    reviewRuns: store.once,
    approvals: store.once,
    // Load tests against a stand-in lift this limit together with Slack's.
    allowance: config.SLACK_BUDGETS === 'off' ? UNLIMITED : createAllowance(parts.backend.buckets),
    inventories: createInventoryCache(now),
    needsApproval: config.REQUIRE_SECOND_APPROVER === 'yes',
    call,
    channels,
    messenger,
    currency: config.ADMIN_CURRENCY,
    inBackground: (work) => background.start(work),
    stopping: background.stopping,
    clicks,
    timeZone: async ({ workspace, user }) => (await people.timeZoneSoon(workspace, user)) ?? config.DEFAULT_TIME_ZONE,
    findInstallation,
    now,
    log,
  };
}

/** Undefined where none is configured. */
export function connectReview(
  { config, backend, people, channels, call, messenger }: Parts,
  { directory }: Identity,
  admin: AdminListenerPorts | undefined,
): ScheduledReview | undefined {
  const { REVIEW_CRON: pattern, REVIEW_CHANNEL: channel, REVIEW_AS: reviewer } = config;
  const { DEFAULT_TIME_ZONE: timeZone } = config;
  if (!admin || !pattern || !channel || !reviewer) return undefined;
  return createScheduledReview({
    ...admin,
    schedule: createReviewSchedule(pattern, timeZone),
    ...{ channel, reviewer, timeZone, people, channels, directory, call, messenger },
    reviews: backend.store.reviews,
    once: backend.store.once,
  });
}
