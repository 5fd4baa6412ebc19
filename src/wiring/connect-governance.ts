import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import { type AdminClient, createAdminClient } from '../admin-api/admin-client.ts';
import type { Config } from '../config.ts';
import type { Rules } from '../conversation/channel-rules.ts';
import { buildDoctorMessage } from '../doctor/doctor-message.ts';
import { createExamination } from '../doctor/examine-in-worker.ts';
import { type AdminListenerPorts, registerAdminListeners } from '../governance/admin-listeners.ts';
import { createAuditedChanges } from '../governance/audit/audited-changes.ts';
import { type BulkRuns, createBulkRuns } from '../governance/bulk/slack-bulk-run.ts';
import { createChangeSettler } from '../governance/confirmation/slack-settled-changes.ts';
import { createConsumptionRecorder } from '../governance/consumption/record-consumption.ts';
import { createInventoryCache } from '../governance/inventory/inventory-cache.ts';
import { ADMIN_COMMAND } from '../governance/lists/admin-command.ts';
import { openRegisterFile } from '../governance/register/register-file.ts';
import { createReports } from '../governance/review/report.ts';
import { createReviewSchedule } from '../governance/scheduled-review/review-schedule.ts';
import { buildReviewState } from '../governance/scheduled-review/review-state-views.ts';
import { createScheduledReview, type ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import { NoAdminInterfaceError } from '../governance/shell/access.ts';
import { type Caller, isAdmin } from '../governance/shell/admin-rules.ts';
import { registerNotSetUp, type TakeWaiting } from '../governance/shell/admin-shell.ts';
import { createAllowance, UNLIMITED } from '../governance/shell/allowance.ts';
import { createExclusively } from '../governance/shell/concurrency.ts';
import { createWaitingCommands } from '../governance/shell/waiting-commands.ts';
import type { AnswerClicks } from '../slack/answer-clicks.ts';
import type { HomeBlocks, HomeOwner } from '../slack/home-tab.ts';
import { createSendFile } from '../slack/send-file.ts';
import type { ReadGroupMembers } from '../slack/user-groups.ts';
import { BULK_LANE } from './later.ts';
import type { Services } from './services.ts';

type Shell = { groupMembers: ReadGroupMembers; clicks: AnswerClicks; interactions: App };

/** The admin features. `review` is undefined where none is configured. */
export type Governance = {
  review: ScheduledReview | undefined;
  /** Records what was used, once a day; undefined with the review. */
  consumption: ScheduledReview | undefined;
  /** Settles changes that broke off, and tells those who made them. Nothing where there is no administrative interface. */
  settleChanges(stopping: AbortSignal): Promise<void>;
  /** The bulk changes that were confirmed. Undefined where there is no administrative interface. */
  bulk: BulkRuns | undefined;
  /** The commands that waited for this person's sign-in. */
  takeWaiting: TakeWaiting;
  /** What the home tab shows administrators; nothing to others. Rejects if Slack or the store cannot be asked. */
  adminBlocks(caller: HomeOwner): Promise<HomeBlocks>;
};

/** Registers the admin listeners. */
export function connectGovernance(services: Services, shell: Shell): Governance {
  const admin = connectAdmin(services, shell);
  const takeWaiting = admin ? registerAdminListeners(shell.interactions, admin) : async () => [];
  if (!admin) registerNotSetUp(shell.interactions, ADMIN_COMMAND);
  return {
    takeWaiting,
    ...connectReview(services, admin),
    settleChanges: admin?.hasInterface ? createChangeSettler(admin) : async () => undefined,
    bulk: admin?.hasInterface ? createBulkRuns(admin) : undefined,
    async adminBlocks({ homeTeam, ...person }) {
      const caller: Caller = { ...person, ...(homeTeam !== undefined && { homeTeam }) };
      return admin?.hasInterface && (await isAdmin(caller, admin.rules, admin.lookups)) ? describeReview(services) : [];
    },
  };
}

function describeReview({ config, backend, now }: Services): Promise<HomeBlocks> {
  const { REVIEW_CRON: pattern, DEFAULT_TIME_ZONE: timeZone } = config;
  const schedule = pattern ? createReviewSchedule(pattern, timeZone) : undefined;
  return buildReviewState({ reviews: backend.store.reviews, schedule, timeZone, now });
}

/** What `/assistant-admin` needs. Undefined where there is neither an administrative interface nor anybody in ADMIN_USERS. */
function connectAdmin(services: Services, { groupMembers, clicks }: Shell): AdminListenerPorts | undefined {
  const { config, log, call, people, channels, messenger, findInstallation, identity, background, now } = services;
  const { store, withLock, announcements } = services.backend;
  if (!config.ADMIN_API_BASE_URL && config.ADMIN_USERS.length === 0) return undefined;
  const { accessTokens } = identity;
  const client = toAdminClient(services);
  const examine = createExamination(config);
  const exclusively = createExclusively(withLock);
  return {
    rules: config.ADMIN_USERS,
    hasInterface: client !== undefined,
    lookups: {
      groupMembers,
      async isWorkspaceAdmin(workspace, user, options) {
        const { isMember, isWorkspaceAdmin } = await people.profile(workspace, user, options);
        return isMember && isWorkspaceAdmin;
      },
    },
    async adminAccount(person) {
      const link = await store.links.get({ ...person, purpose: 'admin' });
      return link && { isSignedIn: link.sealedTokens !== '', name: link.accountName, account: link.account };
    },
    homeTeam: async ({ workspace, user }) => (await people.profile(workspace, user)).homeTeam,
    async openSession(person) {
      if (!client) throw new NoAdminInterfaceError();
      const key = { ...person, purpose: 'admin' } as const;
      const token = await accessTokens.accessTokenFor(key);
      return client.openSession({ token, renew: (rejected) => accessTokens.renew(key, rejected) });
    },
    doctor: async () => buildDoctorMessage(await examine()),
    changes: createAuditedChanges(store.changes, store.audit, now),
    audit: store.audit,
    exclusively,
    waiting: createWaitingCommands({ once: store.once, exclusively, now }),
    ruleStore: store.rules,
    rulesChanged: (workspace) => announcements.announce('rules-changed', workspace),
    configuredRules: toConfiguredRules(config),
    usage: store.usage,
    history: store.consumption,
    readRegister: config.GOVERNANCE_REGISTER ? openRegisterFile(config.GOVERNANCE_REGISTER) : async () => 'none',
    overlay: store.overlay,
    reports: createReports(store.once, { createId: () => randomUUID().replaceAll('-', '').slice(0, 12), now }),
    reviewRuns: store.once,
    approvals: store.once,
    // Load tests against a stand-in lift this limit together with Slack's.
    allowance: config.SLACK_BUDGETS === 'off' ? UNLIMITED : createAllowance(services.backend.buckets),
    inventories: createInventoryCache(now),
    owners: {
      findUser: async ({ team }, ownerId) => (await identity.directory.find(team, ownerId))?.user,
      findId: ({ team }, user) => identity.directory.findId({ team, user }),
    },
    wakeBulk: () => void services.backend.dispatcher.wake(BULK_LANE),
    needsApproval: config.REQUIRE_SECOND_APPROVER === 'yes',
    call,
    channels,
    messenger,
    sendFile: createSendFile(services),
    currency: AGENT_CURRENCY,
    limitStaleMs: LIMIT_STALE_MS,
    inBackground: (work) => background.start(work),
    stopping: background.stopping,
    clicks,
    timeZone: async ({ workspace, user }) => (await people.timeZoneSoon(workspace, user)) ?? config.DEFAULT_TIME_ZONE,
    findInstallation,
    now,
    log,
  };
}

/** The credit currency of agent messages. */
export const AGENT_CURRENCY = 'ServiceMessages';

/** For so long a limit that was set from here counts where the service does not show it: the console may change it. */
export const LIMIT_STALE_MS = 90 * 24 * 3_600_000;

type AdminConfig = Pick<
  Config,
  'ADMIN_API_BASE_URL' | 'ADMIN_API_VERSION' | 'ADMIN_RESOURCE_PREFIX' | 'ADMIN_TABLE_NAME' | 'ADMIN_AGENT_ID_PROPERTY'
>;

/** Undefined where there is no administrative interface. */
export function toAdminClient({
  config,
  http,
  now,
}: Pick<Services, 'http' | 'now'> & { config: AdminConfig }): AdminClient | undefined {
  if (!config.ADMIN_API_BASE_URL) return undefined;
  return createAdminClient({
    http,
    baseUrl: config.ADMIN_API_BASE_URL,
    apiVersion: config.ADMIN_API_VERSION,
    resourceTypePrefix: config.ADMIN_RESOURCE_PREFIX,
    tableName: config.ADMIN_TABLE_NAME,
    currency: AGENT_CURRENCY,
    agentIdProperty: config.ADMIN_AGENT_ID_PROPERTY,
    now,
  });
}

/** What the configuration sets of what administrators may set as well. */
function toConfiguredRules({ THREAD_CONTEXT }: Config): Rules {
  return THREAD_CONTEXT === 'off' ? { threadContext: 'off' } : {};
}

/** What runs with the sign-in of REVIEW_AS. */
function connectReview(
  { config, backend, people, channels, messenger, identity: { directory } }: Services,
  admin: AdminListenerPorts | undefined,
): Pick<Governance, 'review' | 'consumption'> {
  const { REVIEW_CRON: pattern, REVIEW_CHANNEL: channel, REVIEW_AS: reviewer } = config;
  const { DEFAULT_TIME_ZONE: timeZone } = config;
  if (!admin || !pattern || !channel || !reviewer) return { review: undefined, consumption: undefined };
  const ports = {
    ...admin,
    schedule: createReviewSchedule(pattern, timeZone),
    ...{ channel, reviewer, timeZone, people, channels, directory, messenger },
    levels: config.REVIEW_LEVELS,
    reviews: backend.store.reviews,
    once: backend.store.once,
    history: backend.store.consumption,
  };
  return { review: createScheduledReview(ports), consumption: createConsumptionRecorder(ports) };
}
