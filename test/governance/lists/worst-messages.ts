import { ALLOCATION_KIND } from '../../../src/governance/allocations/allocation-kind.ts';
import { buildChangeOutcome } from '../../../src/governance/changes/change-views.ts';
import {
  buildApprovalRequest,
  buildApproved,
  buildAsked,
  buildDecidedRequest,
} from '../../../src/governance/confirmation/approval-views.ts';
import { buildAgentsMessage } from '../../../src/governance/lists/agents-message.ts';
import { buildAuditMessage } from '../../../src/governance/lists/audit-message.ts';
import { buildEnvironmentUsage } from '../../../src/governance/lists/environment-usage-message.ts';
import { buildEnvironmentsMessage } from '../../../src/governance/lists/environments-message.ts';
import { buildLimitsMessage } from '../../../src/governance/lists/limits-message.ts';
import { buildUsageMessage } from '../../../src/governance/lists/usage-message.ts';
import { buildDecided } from '../../../src/governance/review/decided-views.ts';
import { FINDINGS_PER_PAGE } from '../../../src/governance/review/report.ts';
import { buildReport } from '../../../src/governance/review/report-views.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';
import type { FindingItem } from '../../../src/governance/scheduled-review/owner-items.ts';
import { buildOwnerMessage } from '../../../src/governance/scheduled-review/owner-message.ts';
import { buildReviewMessage } from '../../../src/governance/scheduled-review/review-messages.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { aCurrency, anAllocation, aPlan as anAllocationPlan } from '../allocations/samples.ts';
import { aPending, aPendingDecision } from '../confirmation/samples.ts';
import { aLimitPage, aLimitRow } from '../limits/limit-samples.ts';
import { aDifference, aHead, anAgentFinding, anEnvironmentFinding } from '../review/review-samples.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aPlan, NOW } from '../shell/samples.ts';
import {
  aCreditUsage,
  anAgentPage,
  anAuditRow,
  anAuditSearch,
  anEnvironmentPage,
  anEnvironmentRow,
  anInventoryRow,
  aUsageOverview,
  aUsageRow,
} from './list-samples.ts';

const BAD = '&<>'.repeat(200);
export const ZONE = { timeZone: 'Europe/Berlin' };
const TURN = { query: BAD, page: 1 };
const LAST_PAGE = { page: 1, pageCount: 2, total: 20 };

/** Each with a number, by which it is found again. */
const repeat = <Row>(count: number, build: (name: string, index: number) => Row) =>
  Array.from({ length: count }, (_, index) => build(`n${index}. ${BAD}`, index));

const exception = { isExpired: true, reason: BAD, approver: BAD, expiresOn: '2026-03-01' };
const DIFFERENCES = repeat(20, (currency) => aDifference({ currency, exception }));

export function aReport(count: number): Content {
  const all = repeat(count, (name) =>
    anEnvironmentFinding({ name, differences: DIFFERENCES, owners: repeat(4, (owner) => owner) }),
  );
  const environments = all.map((environment) => ({ environment, agents: [], coveredAgents: 0 }));
  const gaps = { environments: BAD, agents: BAD };
  const head = aHead({
    pageCount: 3,
    newOnTenantPool: repeat(5, (name) => name),
    gaps,
    summary: summarize(all, gaps, 0),
  });
  return buildReport({ head, shown: { page: { environments, strayAgents: [] }, number: 1 } }, ZONE);
}

function anAudit(count: number): Content {
  const currencies = repeat(20, (currencyType) => aCurrency({ currencyType }));
  const before = anAllocation(...currencies);
  const after = anAllocation(...currencies.map((one) => ({ ...one, allocated: 1e300 })));
  const subject = { environmentId: BAD, agentResourceId: BAD };
  const rows = repeat(count, () =>
    anAuditRow({ subject, before, after, reason: BAD, requestIds: repeat(5, (id) => id) }),
  );
  const names = { environment: () => BAD, agent: (_: string, id: string) => id };
  const options = { ...ZONE, team: 'T1', turn: { ...TURN, before: 9 } };
  return buildAuditMessage(anAuditSearch(rows, { names, query: BAD, next: 5, isGap: true }), options);
}

function aUsage() {
  const rows = repeat(20, (name, index) =>
    aUsageRow({ name, environmentId: `${index}`, usage: aCreditUsage({ unit: BAD }) }),
  );
  return aUsageOverview({ rows, ...LAST_PAGE, query: BAD, currency: BAD });
}

function anEnvironmentUse() {
  const credits = repeat(30, (currencyType) => aCreditUsage({ currencyType, unit: BAD, payGoConsumed: 5 }));
  const agents = repeat(20, (name) => ({ name, consumption: 1e9, limit: 1e9, stopped: 'unknown' as const }));
  return { environmentId: 'env-1', credits, agents, asOf: NOW };
}

/** In so many currencies. */
export function aChange(count: number) {
  const currencies = repeat(count, (currencyType) => aCurrency({ currencyType, allocated: 1 }));
  const plans = currencies.map(({ currencyType }) =>
    anAllocationPlan(anAllocation(...currencies), { currencyType, allocated: 9 }),
  );
  const [first] = plans;
  if (first === undefined) throw new Error('no plan');
  const plan = { ...first, rows: plans.flatMap(({ rows }) => rows), warnings: [] };
  return { kind: 'allocation' as const, plan, environmentName: BAD };
}

export const LIMIT = {
  kind: 'limit' as const,
  plan: { ...aPlan(aDeployedLimit()), agent: { ...AGENT, displayName: BAD, environmentName: BAD } },
};

function aDecision(): Content {
  const { planned } = aPendingDecision();
  if (planned.record.kind !== 'exception') throw new Error('no exception');
  const differences = repeat(300, (currency) => aDifference({ currency }));
  const accepts = differences.map(({ setting, currency }) => ({ setting, currency, value: 'off' as const }));
  return buildDecided({ ...planned.record, accepts }, anEnvironmentFinding({ name: BAD, differences }), undefined);
}

const ITEMS = repeat(40, (name): FindingItem => {
  const finding = anAgentFinding({ name, differences: DIFFERENCES });
  return { kind: 'finding', change: 'new', finding, environmentName: BAD, environmentOwners: [] };
});

function aScheduledReview(): Content {
  const items = ITEMS.map(({ finding }) => ({
    ...{ change: 'changed' as const, gravity: 'looser' as const },
    ...{ finding: { ...finding, differences: DIFFERENCES }, environmentName: BAD },
  }));
  const resolved = items.map(({ finding }) => finding);
  const notes = { isTruncated: true, leftOut: 3, lacksAddresses: true, unreadLevels: 3, isLimitsUnread: true };
  const news = { isFirst: false, isRegisterChanged: true, items, resolved, gone: 2 };
  const report = aHead();
  const { summary, at, registerHash } = report;
  const untold = repeat(9, (name) => ({ name, percent: 104, reason: 'no_owner' as const }));
  const told = { news, notes: { ...notes, untold }, review: { summary, at, registerHash }, report };
  return buildReviewMessage(told, ZONE);
}

const PENDING = aPending({ planned: LIMIT, reason: BAD });
const OUTCOME = buildChangeOutcome(ALLOCATION_KIND, aChange(35), { kind: 'verified' }, ZONE);

export const WORST_MESSAGES: [string, Content, entries: number][] = [
  ['a page of a review', aReport(FINDINGS_PER_PAGE), FINDINGS_PER_PAGE],
  [
    'agents',
    buildAgentsMessage(
      anAgentPage({
        rows: repeat(10, (displayName) => anInventoryRow({ displayName, environmentName: BAD, ownerId: BAD })),
        ...LAST_PAGE,
      }),
      { ...ZONE, turn: TURN },
    ),
    10,
  ],
  [
    'environments',
    buildEnvironmentsMessage(
      anEnvironmentPage({
        rows: repeat(10, (name) => anEnvironmentRow({ name, ownerId: BAD })),
        ...LAST_PAGE,
        query: BAD,
      }),
      ZONE,
    ),
    10,
  ],
  [
    'limits',
    buildLimitsMessage(
      aLimitPage({
        rows: repeat(10, (displayName) =>
          aLimitRow({ displayName, environmentName: BAD, ownerId: BAD, known: aLastSetLimit({ limit: 1e300 }) }),
        ),
        ...LAST_PAGE,
        query: BAD,
      }),
      ZONE,
    ),
    10,
  ],
  ['usage', buildUsageMessage(aUsage(), ZONE).content, 20],
  ['usage without a table', buildUsageMessage(aUsage(), ZONE).plain, 1],
  ['usage of one environment', buildEnvironmentUsage(anEnvironmentUse(), { ...ZONE, name: BAD }).content, 20],
  [
    'usage of one environment without a table',
    buildEnvironmentUsage(anEnvironmentUse(), { ...ZONE, name: BAD }).plain,
    20,
  ],
  ['the audit log', anAudit(10), 0],
  ['a change of credits', OUTCOME, 30],
  ['a decision about the register', aDecision(), 1],
  ['a request for approval', buildApprovalRequest(PENDING, ZONE), 0],
  ['a request that was rejected', buildDecidedRequest(PENDING, 'You rejected this.'), 0],
  ['a request that was approved', buildDecidedRequest(PENDING, 'You approved this.', OUTCOME), 30],
  ['what waits for approval', buildAsked(aPending({ planned: aChange(35), reason: BAD }), ZONE), 30],
  ['what was approved', buildApproved(PENDING, OUTCOME), 30],
  ['what owners are told', buildOwnerMessage(ITEMS, { askUser: 'U1', ...ZONE }), 12],
  ['a scheduled review', aScheduledReview(), 1],
];
