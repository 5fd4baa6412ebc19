// The messages that administrators and owners read: as usual, and at their worst.
import { FEEDBACK_REASONS } from '../../../src/conversation/turn.ts';
import { buildDoctorMessage } from '../../../src/doctor/doctor-message.ts';
import { buildChangeOutcome, buildRepeatedOutcome } from '../../../src/governance/changes/change-views.ts';
import { buildRulesMessage } from '../../../src/governance/channel-rules/rules-message.ts';
import {
  buildApprovalRequest,
  buildApproved,
  buildAsked,
  buildClosedRequest,
  buildDecidedRequest,
  buildRejected,
} from '../../../src/governance/confirmation/approval-views.ts';
import type { SettledEnd } from '../../../src/governance/confirmation/settle-changes.ts';
import { buildSettledChange } from '../../../src/governance/confirmation/slack-settled-changes.ts';
import type { HistoryName, Trend } from '../../../src/governance/consumption/consumption-history.ts';
import { buildSheet } from '../../../src/governance/exports/sheet.ts';
import { buildExported } from '../../../src/governance/exports/slack-export.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { buildAgentsMessage } from '../../../src/governance/lists/agents-message.ts';
import { buildAuditMessage } from '../../../src/governance/lists/audit-message.ts';
import { buildEnvironmentUsage } from '../../../src/governance/lists/environment-usage-message.ts';
import { buildEnvironmentsMessage } from '../../../src/governance/lists/environments-message.ts';
import { buildInsightsMessage } from '../../../src/governance/lists/insights-message.ts';
import { buildLimitsMessage } from '../../../src/governance/lists/limits-message.ts';
import { buildUsageMessage } from '../../../src/governance/lists/usage-message.ts';
import { buildRegisterProblem } from '../../../src/governance/review/approved-views.ts';
import { buildDecided, buildDecidedBefore } from '../../../src/governance/review/decided-views.ts';
import { describeDraft } from '../../../src/governance/review/draft-command.ts';
import { describeExport } from '../../../src/governance/review/export-command.ts';
import {
  buildFinished,
  buildInterrupted,
  buildOverdue,
  buildProgress,
} from '../../../src/governance/review/progress-views.ts';
import { buildReport } from '../../../src/governance/review/report-views.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';
import { buildMayNotOpen } from '../../../src/governance/review-actions/open-report-action.ts';
import { buildOwnerMessage } from '../../../src/governance/scheduled-review/owner-message.ts';
import {
  buildDirect,
  buildProblem,
  failed,
  notAdmin,
  notInChannel,
  notPosted,
  notRead,
  notSignedIn,
  registerUnreadable,
  registerWrong,
  sharedChannel,
  tookTooLong,
} from '../../../src/governance/scheduled-review/problem-messages.ts';
import { buildReviewMessage, buildUntoldMessage } from '../../../src/governance/scheduled-review/review-messages.ts';
import {
  buildAdminProblem,
  buildAdminSignIn,
  buildAdminText,
  buildSignedInAlready,
  NOT_SET_UP,
} from '../../../src/governance/shell/failure-message.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { buildFeedbackMessage, type Feedback } from '../../../src/slack/views/feedback-window.ts';
import { MAX_PAUSE_WORD } from '../../../src/slack/views/rule-content.ts';
import { aPending, aPendingDecision } from '../../governance/confirmation/samples.ts';
import { aLimitPage } from '../../governance/limits/limit-samples.ts';
import {
  aCreditUsage,
  aListFilter,
  anAgentPage,
  anAuditRow,
  anAuditSearch,
  anEnvironmentPage,
  aTrend,
  aUsageOverview,
} from '../../governance/lists/list-samples.ts';
import { WORST_MESSAGES } from '../../governance/lists/worst-messages.ts';
import {
  aHead,
  anAgentFinding,
  anEnvironmentFinding,
  aToldAgentFinding,
} from '../../governance/review/review-samples.ts';
import { aDeployedLimit, aLimitChange, aPlan, NOW } from '../../governance/shell/samples.ts';
import { aRecord } from '../../storage/rule-store-contract.ts';
import { BAD, type Kind, TURN } from './kind.ts';

const ZONE = { timeZone: 'Europe/Berlin' };
const FIRST_PAGE = { query: 'sales', page: 0 };
const ADMINS = Array.from({ length: 20 }, (_, index) => ({ kind: 'user' as const, user: `U0000000${index}` }));
const PROBLEMS = Array.from({ length: 40 }, (_, line) => ({ line: line + 1, sentence: BAD }));

/** As Slack gets them. */
export function listAdminMessageKinds(): Kind[] {
  const usual = Object.entries({ ...LISTS(), ...CHANGES(), ...REVIEWS(), ...SCHEDULED(), ...WORKSPACE(), ...REST() });
  return [
    ...usual.map(([kind, message]): Kind => ({ kind, message })),
    ...WORST_MESSAGES.map(([kind, message]): Kind => ({ kind: `${kind}, at its worst`, message })),
  ];
}

type Contents = Record<string, Content>;

const LISTS = (): Contents => {
  const usage = buildUsageMessage(aUsageOverview(), ZONE);
  const filter = aListFilter({ name: BAD, ownerUser: 'U0KIM', over: 80 });
  const sums = { consumed: 18_250, capacity: 25_000, share: 0.73, payGoConsumed: 12, none: 3 };
  const totals = { limited: 2, limits: 300, used: 190, told: 2, none: 1, unknown: 1, stopped: 1 };
  const trends = new Map<HistoryName, Trend>([
    ['total', aTrend()],
    ['environment:env-1', aTrend()],
    ['missing', aTrend()],
  ]);
  const added = buildUsageMessage(aUsageOverview({ totals: sums, total: 40, filter }), { ...ZONE, trends });
  const credits = { environmentId: 'env-1', credits: [aCreditUsage()], agents: [], asOf: NOW };
  const ofOne = buildEnvironmentUsage(credits, { ...ZONE, name: 'Production' });
  const trending = buildEnvironmentUsage(credits, { ...ZONE, name: 'Production', trend: aTrend() });
  return {
    agents: buildAgentsMessage(anAgentPage(), { ...ZONE, turn: FIRST_PAGE }),
    'no agents': buildAgentsMessage(anAgentPage({ rows: [] }), { ...ZONE, turn: FIRST_PAGE }),
    environments: buildEnvironmentsMessage(anEnvironmentPage(), ZONE),
    'no environments': buildEnvironmentsMessage(anEnvironmentPage({ rows: [] }), ZONE),
    limits: buildLimitsMessage(aLimitPage(), ZONE),
    'limits that a filter leaves': buildLimitsMessage(aLimitPage({ total: 4, filter, totals }), ZONE),
    'usage with a total and a trend': added.content,
    'usage with a total and a trend, without a table': added.plain,
    'usage of one environment with a trend': trending.content,
    'usage of one environment with a trend, without a table': trending.plain,
    usage: usage.content,
    'usage without a table': usage.plain,
    'usage of one environment': ofOne.content,
    'usage of one environment without a table': ofOne.plain,
    'the audit log': buildAuditMessage(anAuditSearch([anAuditRow()]), {
      ...ZONE,
      team: 'T1',
      turn: { ...FIRST_PAGE, before: 9 },
    }),
    'an empty audit log': buildAuditMessage(anAuditSearch([]), {
      ...ZONE,
      team: 'T1',
      turn: { ...FIRST_PAGE, before: 9 },
    }),
  };
};

const CHANGES = (): Contents => {
  const change = { kind: 'limit' as const, plan: aPlan(aDeployedLimit()) };
  const tell = (outcome: Parameters<typeof buildChangeOutcome<typeof change.plan, never, never>>[2]) =>
    buildChangeOutcome(LIMIT_KIND, change, outcome as never, ZONE);
  const outcome = tell({ kind: 'verified' });
  const request = buildApprovalRequest(aPending(), ZONE);
  const settled = (end: SettledEnd) =>
    buildSettledChange(aLimitChange({ before: aDeployedLimit({ limit: 7 }) }), end, {
      ...ZONE,
      reader: 'U1',
    });
  const ended = { kind: 'verified', written: 'yes' } as const;
  const at = { expected: aDeployedLimit(), found: aDeployedLimit({ limit: 7 }) };
  return {
    'a change that is verified': outcome,
    'a change without an answer': tell({ kind: 'applied_not_verified', reason: 'no_answer' } as never),
    'a change in conflict': tell({ kind: 'conflict', stage: 'after_write', ...at } as never),
    'a change that failed': tell({ kind: 'failed', failure: { code: 'admin_rejected', sentence: BAD } }),
    'a change that is repeated': tell({ kind: 'duplicate' }),
    'a repeated confirmation': buildRepeatedOutcome('the limit', 'verified'),
    'a repeated confirmation without an end': buildRepeatedOutcome('the limit', undefined),
    'a request for approval': request,
    'a request to approve a decision': buildApprovalRequest(aPendingDecision(), ZONE),
    'what waits for approval': buildAsked(aPending(), { ...ZONE, isApproverSignedIn: false }),
    'a request that was approved': buildDecidedRequest(aPending(), 'You approved this.', outcome),
    'a request that is over': buildClosedRequest(request.blocks, 'This request is over.'),
    'what was approved': buildApproved(aPending(), outcome),
    'what became of a change that broke off': settled({
      kind: 'settled',
      outcome: ended,
      names: { agent: BAD, environment: BAD },
    }),
    'a change that broke off, and nobody is signed in for': settled({ kind: 'signed_out' }),
    'a change that broke off, and cannot be looked up': settled({ kind: 'unreadable', sentence: BAD }),
    'what was rejected': buildRejected(aPendingDecision(), 'Too much for a pilot.'),
  };
};

const REVIEWS = (): Contents => {
  const { record, finding } = aPendingDecision().planned;
  const progress = {
    environments: { done: 30, total: 1_200 },
    drifting: 7,
    waiting: { until: NOW + 9_000, cause: 'busy' as const },
  };
  return {
    'a report without findings': buildReport({ head: aHead(), shown: undefined }, ZONE),
    'a report where the service shows no limits': buildReport(
      { head: aHead({ summary: summarize([aToldAgentFinding()], NO_GAPS, 0) }), shown: undefined },
      ZONE,
    ),
    'a report with findings': buildReport(
      {
        head: aHead({ pageCount: 1, summary: summarize([anEnvironmentFinding(), anAgentFinding()], NO_GAPS, 0) }),
        shown: {
          page: {
            environments: [{ environment: anEnvironmentFinding(), agents: [anAgentFinding()], coveredAgents: 0 }],
            strayAgents: [],
          },
          number: 0,
        },
      },
      ZONE,
    ),
    'an export that was sent': buildExported(
      buildSheet({ list: 'limits', asOf: NOW, gaps: ['It is not complete.'] }, [], []),
    ),
    'a review that begins': buildProgress(
      { environments: undefined, drifting: 0, waiting: undefined },
      { ...ZONE, now: NOW },
    ),
    'a review that goes on': buildProgress(progress, { ...ZONE, now: NOW }),
    'a review that is done': buildFinished(95_000),
    'a review that was interrupted': buildInterrupted(progress),
    'a review that took too long': buildOverdue(3_600_000, progress),
    'a decision': buildDecided(record, finding, 'Production'),
    'a decision that was made before': buildDecidedBefore(),
    'a draft of the register': buildAdminText(describeDraft(200, [BAD])),
    'no register': buildRegisterProblem({ kind: 'none' }),
    'a register that cannot be read': buildRegisterProblem({ kind: 'unreadable_file', error: new Error('x') } as never),
    'a register with problems': buildRegisterProblem({ kind: 'problems', problems: PROBLEMS } as never),
    'an export of the register': buildAdminText(describeExport(30)),
  };
};

const NO_GAPS = { environments: undefined, agents: undefined };

const SCHEDULED = (): Contents => {
  const errors = {
    ...{ notSignedIn: notSignedIn('U0KIM'), notAdmin: notAdmin('U0KIM'), notInChannel: notInChannel('C0REVIEW') },
    ...{ sharedChannel: sharedChannel('C0REVIEW'), notPosted: notPosted('C0REVIEW', BAD), tookTooLong: tookTooLong() },
    ...{ notRead: notRead('admin_busy', 'U0KIM'), notAllowed: notRead('admin_forbidden', 'U0KIM') },
    ...{
      registerWrong: registerWrong(PROBLEMS),
      registerUnreadable: registerUnreadable(),
      failed: failed(new Error('x')),
    },
  };
  const told = Object.entries(errors).flatMap(([name, problem]): [string, Content][] => [
    [`the scheduled review is not done: ${name}`, buildProblem(problem, NOW, ZONE)],
    [`its reviewer is told: ${name}`, buildDirect(problem)],
  ]);
  const report = aHead();
  const { summary, at, registerHash } = report;
  const notes = {
    isTruncated: false,
    untold: [],
    leftOut: 0,
    lacksAddresses: false,
    unreadLevels: 0,
    isLimitsUnread: false,
  };
  const untold = [
    { name: 'Production', percent: 104, reason: 'no_owner' as const },
    { name: 'Bot in Lab', reason: 'refused' as const },
  ];
  const news = { isFirst: true, isRegisterChanged: false, items: [], resolved: [], gone: 0 };
  const finding = anEnvironmentFinding();
  return {
    ...Object.fromEntries(told),
    'a scheduled review': buildReviewMessage({ news, notes, review: { summary, at, registerHash }, report }, ZONE),
    'a scheduled review of what no owner was told': buildReviewMessage(
      { news, notes: { ...notes, untold }, review: { summary, at, registerHash }, report },
      ZONE,
    ),
    'what owners could not be told': buildUntoldMessage(untold),
    'somebody may not open its report': buildMayNotOpen({ team: { id: 'T1' } }, [
      ...ADMINS,
      { kind: 'workspace_admins' },
    ]),
    'what owners are told': buildOwnerMessage(
      [{ kind: 'finding', change: 'new', finding, environmentName: 'Production', environmentOwners: [] }],
      { askUser: 'U0KIM', ...ZONE },
    ),
  };
};

const WORKSPACE = (): Contents => {
  const rules = { questions: 'refused', answers: 'private', webSearch: 'off', threadContext: 'off' } as const;
  const channels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`C0000000${index}`, rules]));
  const pause = { word: BAD.slice(0, MAX_PAUSE_WORD), by: 'U0KIM', at: NOW };
  const stored = { ...aRecord({ everywhere: rules, channels, pause }), version: 1 };
  const shown = { configured: {}, here: 'C0PLANS', ...ZONE };
  const counts = { questions: 100, channel: 60, 'result:answer': 80, 'result:forbidden': 7, 'seconds:4': 50 };
  const feedback: Feedback = { turnId: TURN.id, verdict: 'bad', reasons: ['wrong'], comment: '', withText: false };
  const longest = { ...feedback, reasons: [...FEEDBACK_REASONS], comment: BAD.repeat(2), withText: true };
  return {
    'channel rules': buildRulesMessage({ stored, ...shown }),
    'no channel rules': buildRulesMessage({ stored: undefined, ...shown }),
    insights: buildInsightsMessage({ counts, people: { ...counts }, firstDay: 20_000 }, 30),
    'insights of nobody': buildInsightsMessage({ counts: {}, people: {}, firstDay: undefined }, 7),
    feedback: buildFeedbackMessage(feedback, undefined, undefined),
    'feedback whose text could not be read': buildFeedbackMessage(feedback, 'unreadable', 'request'),
    'feedback whose text is not for guests': buildFeedbackMessage(feedback, 'guests', 'request'),
    'feedback, at its worst': buildFeedbackMessage(
      longest,
      { question: BAD.repeat(20), answer: BAD.repeat(60) },
      'r'.repeat(36),
    ),
  };
};

const REST = (): Contents => ({
  'administration is not set up': buildAdminText(NOT_SET_UP),
  'a problem of an administrator': buildAdminProblem(BAD.repeat(4)),
  'an administrator who is signed in': buildSignedInAlready(BAD),
  'an administrator who is not signed in': buildAdminSignIn(),
  'an administrator whose sign-in is refused': buildAdminSignIn(BAD.repeat(4), 'press the button again'),
  'the doctor, where all is well': buildDoctorMessage([
    { title: 'Slack', findings: [{ level: 'ok', sentence: 'The token works.' }] },
  ]),
  'the doctor, where much is wrong': buildDoctorMessage(
    Array.from({ length: 12 }, (_, index) => ({
      title: `Part ${index}`,
      findings: [
        { level: 'ok', sentence: 'Fine.' },
        { level: 'warning', sentence: BAD.repeat(3), details: [BAD] },
        { level: 'error', sentence: `${BAD}:`, details: [BAD, BAD] },
      ],
    })),
  ),
});
