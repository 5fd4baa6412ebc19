import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import { type AdminClient, createAdminClient } from '../admin-api/admin-client.ts';
import type { Config } from '../config.ts';
import type { Question } from '../conversation/question.ts';
import { buildDoctorMessage } from '../doctor/doctor-message.ts';
import { createExamination } from '../doctor/examine-in-worker.ts';
import { registerAdminListeners } from '../governance/admin-listeners.ts';
import { createAskApproval } from '../governance/approval/slack-approval-request.ts';
import { ADMIN_COMMAND } from '../governance/commands/admin-command.ts';
import { buildAdminHome } from '../governance/commands/admin-home-views.ts';
import { createInventoryCache } from '../governance/inventory/inventory-cache.ts';
import { rememberInventory } from '../governance/inventory/known-inventory.ts';
import { offerImport } from '../governance/policy-documents/import-form.ts';
import { showSettled } from '../governance/review/settled-message.ts';
import { createEngine } from '../governance/run/create-engine.ts';
import { createRuns, type Runs } from '../governance/run/slack-runs.ts';
import type { LaneJob } from '../governance/schedule/lane-job.ts';
import { createConsumptionRecorder } from '../governance/schedule/record-consumption.ts';
import { createReviewSchedule } from '../governance/schedule/schedule-state.ts';
import { createScheduledReview } from '../governance/schedule/scheduled-review.ts';
import type { GovernanceServices } from '../governance/services.ts';
import { createAllowance, UNLIMITED } from '../governance/shell/access.ts';
import { toRefused } from '../governance/shell/admin-failure.ts';
import type { Caller } from '../governance/shell/admin-rules.ts';
import { registerNotSetUp, type TakeWaiting } from '../governance/shell/admin-shell.ts';
import { createExclusively } from '../governance/shell/concurrency.ts';
import { createWaitingCommands } from '../governance/shell/waiting-commands.ts';
import type { AnswerClicks } from '../slack/answer-clicks.ts';
import { createReadFile, createSendFile } from '../slack/files.ts';
import type { HomeBlocks, HomeOwner } from '../slack/home-tab.ts';
import type { LoneFile } from '../slack/listeners/ports.ts';
import { RUN_LANE } from './later.ts';
import type { Services } from './services.ts';

type Shell = { clicks: AnswerClicks; interactions: App };

/** The admin features. `review` is undefined if none is configured. */
export type Governance = {
  review: LaneJob | undefined;
  /** Records the consumption, once a day. Undefined if no review is configured. */
  consumption: LaneJob | undefined;
  /** Carries out plans in the background. Undefined if nobody can be an administrator. */
  runs: Pick<Runs, 'run' | 'stop'> | undefined;
  /** The commands that waited for this person's sign-in. */
  takeWaiting: TakeWaiting;
  /** Takes a policy file that an administrator sends to the app. False: no policy, or not from an administrator. */
  takeFile(question: Question, file: LoneFile): Promise<boolean>;
  /** What the home tab shows administrators; nothing to others. Rejects if Slack or the store cannot be asked. */
  adminBlocks(caller: HomeOwner): Promise<HomeBlocks>;
};

/** Registers the admin listeners. */
export function connectGovernance(services: Services, shell: Shell): Governance {
  const { config } = services;
  if (!config.ADMIN_API_BASE_URL && config.ADMIN_USERS.length === 0) return connectNothing(shell);
  const { governance, runs } = connectEngine(toGovernance(services, shell));
  const scheduled = toScheduled(services, governance);
  return {
    takeWaiting: registerAdminListeners(shell.interactions, governance),
    review: scheduled && createScheduledReview(scheduled),
    consumption: scheduled && createConsumptionRecorder(scheduled),
    runs,
    takeFile: (question, file) => offerImport(question, file, governance),
    adminBlocks({ homeTeam, ...person }) {
      const caller: Caller = { ...person, ...(homeTeam !== undefined && { homeTeam }) };
      return buildAdminHome(caller, governance, toReviewState(services));
    },
  };
}

/** For a deployment with neither an administrative interface nor anybody in ADMIN_USERS. */
function connectNothing({ interactions }: Shell): Governance {
  registerNotSetUp(interactions, ADMIN_COMMAND);
  return {
    ...{ review: undefined, consumption: undefined, runs: undefined },
    takeWaiting: async () => [],
    takeFile: async () => false,
    adminBlocks: async () => [],
  };
}

function toReviewState({ config, backend, now }: Services) {
  const { REVIEW_CRON: pattern, DEFAULT_TIME_ZONE: channelTimeZone } = config;
  const schedule = pattern ? createReviewSchedule(pattern, channelTimeZone) : undefined;
  return { once: backend.store.once, schedule, channelTimeZone, now };
}

/** The engine needs all services, and is itself one of them. */
function connectEngine(services: Omit<GovernanceServices, 'engine' | 'runEnded'>): {
  governance: GovernanceServices;
  runs: Runs;
} {
  const governance: GovernanceServices = {
    ...services,
    get engine() {
      return engine;
    },
    runEnded: (ended) => showSettled(ended, governance),
  };
  const runs = createRuns(governance);
  const engine = createEngine(governance, { runs, askApproval: createAskApproval(governance) });
  return { governance, runs };
}

function toGovernance(services: Services, { clicks }: Shell): Omit<GovernanceServices, 'engine' | 'runEnded'> {
  const { config, log, people, groups, identity, background, now } = services;
  const { store, withLock, announcements, dispatcher } = services.backend;
  const { accessTokens } = identity;
  const client = toAdminClient(services);
  const examine = createExamination(config);
  const exclusively = createExclusively(withLock);
  return {
    ...services,
    ...store,
    rules: config.ADMIN_USERS,
    auditors: config.AUDIT_USERS,
    hasInterface: client !== undefined,
    lookups: {
      groupMembers: groups.members,
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
      if (!client) throw toRefused('no_admin_interface');
      const key = { ...person, purpose: 'admin' } as const;
      const token = await accessTokens.accessTokenFor(key);
      const session = client.openSession({ token, renew: (rejected) => accessTokens.renew(key, rejected) });
      return rememberInventory(session, store.known, log);
    },
    doctor: async () => buildDoctorMessage(await examine()),
    history: store.consumption,
    policyChanged: () => announcements.announce('policy-changed', ''),
    wakeRuns: () => void dispatcher.wake(RUN_LANE),
    exclusively,
    waiting: createWaitingCommands({ once: store.once, exclusively, now }),
    configuredSettings: toConfiguredSettings(config),
    // Load tests against a stand-in lift this limit together with Slack's.
    allowance: config.SLACK_BUDGETS === 'off' ? UNLIMITED : createAllowance(services.backend.buckets),
    inventories: createInventoryCache(now),
    owners: {
      findUser: async ({ team }, ownerId) => (await identity.directory.find(team, ownerId))?.user,
      findId: ({ team }, user) => identity.directory.findId({ team, user }),
    },
    needsApproval: config.REQUIRE_SECOND_APPROVER === 'yes',
    readsLimits: config.ADMIN_READS_LIMITS === 'yes',
    directory: identity.directory,
    readFile: createReadFile(services),
    sendFile: createSendFile(services),
    currency: AGENT_CURRENCY,
    limitStaleMs: LIMIT_STALE_MS,
    inBackground: (work) => background.start(work),
    stopping: background.stopping,
    clicks,
    timeZone: async ({ workspace, user }) => (await people.timeZoneSoon(workspace, user)) ?? config.DEFAULT_TIME_ZONE,
    createId: () => randomUUID().replaceAll('-', '').slice(0, 12),
  };
}

/** The credit currency of agent messages. */
export const AGENT_CURRENCY = 'ServiceMessages';

/** If the service shows no limits, one that we sent counts for this long: the console may change it. */
export const LIMIT_STALE_MS = 90 * 24 * 3_600_000;

type AdminConfig = Pick<
  Config,
  'ADMIN_API_BASE_URL' | 'ADMIN_API_VERSION' | 'ADMIN_RESOURCE_PREFIX' | 'ADMIN_TABLE_NAME' | 'ADMIN_AGENT_ID_PROPERTY'
>;

/** Undefined if there is no administrative interface. */
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

/** Values of the configuration for settings that administrators may set, too. */
function toConfiguredSettings({ THREAD_CONTEXT }: Config): GovernanceServices['configuredSettings'] {
  return THREAD_CONTEXT === 'off' ? { threadContext: false } : {};
}

/** For jobs that run with the sign-in of REVIEW_AS. Undefined if no review is configured. */
function toScheduled({ config }: Services, governance: GovernanceServices) {
  const { REVIEW_CRON: pattern, REVIEW_CHANNEL: channel, REVIEW_AS: reviewer } = config;
  const { DEFAULT_TIME_ZONE: channelTimeZone, REVIEW_LEVELS: levels } = config;
  if (!pattern || !channel || !reviewer) return undefined;
  const schedule = createReviewSchedule(pattern, channelTimeZone);
  return { ...governance, schedule, channel, reviewer, channelTimeZone, levels };
}
