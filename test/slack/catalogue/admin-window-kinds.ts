// The windows of administrators: as usual, and with the longest names and values that there may be.
import type { ModalView } from '@slack/types';
import {
  ALLOCATION_TOPIC,
  buildAllocationModal,
  buildEnvironmentChoice,
} from '../../../src/governance/allocations/allocation-form-views.ts';
import { ALLOCATION_KIND } from '../../../src/governance/allocations/allocation-kind.ts';
import {
  buildClassifyConfirm,
  buildClassifyManyModal,
  buildNoneToClassify,
  type ClassificationPlan,
  MAX_LISTED,
} from '../../../src/governance/bulk/classify-many-views.ts';
import {
  buildApplyingModal,
  buildChangeOutcome,
  buildOutcomeModal,
} from '../../../src/governance/changes/change-views.ts';
import { buildConfirmation } from '../../../src/governance/changes/slack-confirmation.ts';
import { buildPauseModal, buildResumeModal } from '../../../src/governance/channel-rules/pause-form-views.ts';
import { buildRulesConfirm, buildRulesModal } from '../../../src/governance/channel-rules/rules-form-views.ts';
import { buildAsked, buildAskedModal, buildAskingModal } from '../../../src/governance/confirmation/approval-views.ts';
import { buildRejectEnd, buildRejectForm } from '../../../src/governance/confirmation/reject-form-views.ts';
import {
  buildAgentChoice,
  buildLimitModal,
  LIMIT_TOPIC,
  SET_LIMIT_ACTION,
} from '../../../src/governance/limits/limit-form-views.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { buildStopForm, buildStoppedAlready, listStopButtons } from '../../../src/governance/limits/stop-form-views.ts';
import { STOP_KIND, STOP_TOPIC } from '../../../src/governance/limits/stop-kind.ts';
import { planStop } from '../../../src/governance/limits/stop-plan.ts';
import { buildSearchModal } from '../../../src/governance/lists/inventory-search-views.ts';
import type { ClassificationRecord } from '../../../src/governance/register/overlay.ts';
import { REVIEW_TOPICS } from '../../../src/governance/review/review-buttons.ts';
import { buildAcceptModal } from '../../../src/governance/review-actions/accept-action.ts';
import { buildApproveLimitModal } from '../../../src/governance/review-actions/approve-limit-action.ts';
import { buildSettingsChoice } from '../../../src/governance/review-actions/choose-settings-action.ts';
import { buildClassifyModal } from '../../../src/governance/review-actions/classify-action.ts';
import { buildRuleChoice, buildStopChoice } from '../../../src/governance/review-actions/correct-action.ts';
import { buildStuck } from '../../../src/governance/review-actions/correction-views.ts';
import { buildClassifiedList, buildReclassifyModal } from '../../../src/governance/review-actions/reclassify-views.ts';
import {
  buildReviewNotice,
  buildReviewWorking,
  type ReviewFormState,
} from '../../../src/governance/review-actions/review-action-views.ts';
import { english } from '../../../src/languages/english.ts';
import { buildSection } from '../../../src/slack/views/content.ts';
import { buildLoadingModal, buildProblemModal } from '../../../src/slack/views/modal.ts';
import { MAX_PAUSE_WORD } from '../../../src/slack/views/rule-content.ts';
import {
  ALL_OFF,
  aCurrency,
  anAllocation,
  aPlan as anAllocationPlan,
  CURRENCY,
} from '../../governance/allocations/samples.ts';
import { aPending } from '../../governance/confirmation/samples.ts';
import { anInventoryRow } from '../../governance/lists/list-samples.ts';
import { aClassification } from '../../governance/register/register-samples.ts';
import { aDifference, anAgentFinding, anEnvironmentFinding } from '../../governance/review/review-samples.ts';
import { aRegister } from '../../governance/review/review-world.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, anAgentLimit, aPlan, NOW } from '../../governance/shell/samples.ts';
import { aRecord } from '../../storage/rule-store-contract.ts';
import { BAD, type Kind } from './kind.ts';

const ID = 'e'.repeat(256);
const ZONE = { timeZone: 'Europe/Berlin' };
const WORST_AGENT = {
  ...AGENT,
  environmentId: ID,
  agentResourceId: ID,
  name: ID,
  displayName: BAD,
  environmentName: BAD,
};
const REPLY_TO = `https://hooks.slack.com/actions/${'T'.repeat(200)}`;
const STATE: ReviewFormState = {
  id: 'decision-1',
  place: { report: 'a1b2c3d4e5f6', page: 499, key: `${ID}\n${ID}` },
  replyTo: REPLY_TO,
};
const INTERRUPTED = { user: 'U0KIM', at: NOW, outcome: { kind: 'verified', written: 'yes' } } as const;
const MANY = Array.from({ length: 60 }, (_, index) => aDifference({ currency: `${index}${BAD}` }));

/** As Slack gets them. */
export function listAdminWindowKinds(): Kind[] {
  const windows = Object.entries({ ...LIMITS(), ...ALLOCATIONS(), ...REVIEW(), ...RULES() });
  return [
    ...windows.map(([kind, view]): Kind => ({ kind: `the window of ${kind}`, view })),
    {
      kind: 'a list of what was classified',
      message: buildClassifiedList(
        Array.from({ length: 30 }, () => ({ ...RECORD, environmentId: ID, name: BAD, reason: BAD })),
        { query: BAD, page: 1 },
        ZONE,
      ),
    },
  ];
}

type Windows = Record<string, ModalView>;

const MANY_CURRENCIES = Array.from({ length: 99 }, (_, index) => `${BAD.slice(0, 140)}${index || ''}`);

const STOP = {
  kind: 'stop' as const,
  plan: planStop({ agent: WORST_AGENT, before: aLastSetLimit(), limit: anAgentLimit(), stopped: true }),
};

const LIMITS = (): Windows => {
  const confirm = (plan = aPlan(aDeployedLimit()), more = {}) =>
    buildConfirmation(LIMIT_KIND, { kind: 'limit', plan }, { ...ZONE, changeId: 'change-1', isPushed: true, ...more });
  const worst = { ...aPlan(aLastSetLimit({ stopped: true }), {}, 'not_stopped'), agent: WORST_AGENT };
  return {
    'a search for agents': buildSearchModal({ command: 'limit', replyTo: REPLY_TO }),
    'a limit that loads': buildLoadingModal(LIMIT_TOPIC, english),
    'a limit that fails': buildProblemModal(BAD, LIMIT_TOPIC, english),
    'a choice of agents': buildAgentChoice(
      Array.from({ length: 30 }, () => anInventoryRow({ displayName: BAD })),
      { query: BAD, replyTo: REPLY_TO, button: { actionId: SET_LIMIT_ACTION, text: 'Set limit…' } },
    ),
    'a limit': buildLimitModal(AGENT, aDeployedLimit(), ZONE),
    'a limit that is not known': buildLimitModal(
      WORST_AGENT,
      { source: 'unknown' },
      { ...ZONE, replyTo: REPLY_TO, interrupted: INTERRUPTED, stopButtons: listStopButtons(AGENT, aDeployedLimit()) },
    ),
    'a confirmation': confirm(),
    'a confirmation with an approver': confirm(aPlan(aDeployedLimit()), {
      needsApprover: true,
      isPushed: false,
      reason: 'As approved',
    }),
    'a confirmation of nothing': confirm(aPlan(aDeployedLimit({ limit: 2_000 }))),
    'a confirmation, at its worst': confirm(worst, { needsApprover: true, replyTo: REPLY_TO, reason: 'x'.repeat(500) }),
    'a change that is carried out': buildApplyingModal(LIMIT_KIND, { kind: 'limit', plan: worst }),
    'a change that is done': buildOutcomeModal(
      LIMIT_TOPIC,
      buildChangeOutcome(LIMIT_KIND, { kind: 'limit', plan: worst }, { kind: 'verified' }, ZONE),
    ),
    'a limit in one of many currencies': buildLimitModal(
      { ...WORST_AGENT, currencyType: BAD.slice(0, 150) },
      { source: 'unknown' },
      { ...ZONE, replyTo: REPLY_TO, currencies: ['ServiceMessages', ...MANY_CURRENCIES] },
    ),
    'a stop whose limit has to be said': buildStopForm(
      { agent: WORST_AGENT, known: { source: 'unknown' }, replyTo: REPLY_TO },
      { ...ZONE, stopped: true },
    ),
    'a stop of what is stopped': buildStoppedAlready(WORST_AGENT, { stopped: true, replyTo: REPLY_TO }),
    'a stop': buildConfirmation(STOP_KIND, STOP, { ...ZONE, changeId: 'change-1', isPushed: false }),
    'a stop that is carried out': buildApplyingModal(STOP_KIND, STOP),
    'a stop that is done': buildOutcomeModal(
      STOP_TOPIC,
      buildChangeOutcome(STOP_KIND, STOP, { kind: 'verified' }, ZONE),
    ),
    'a request that is made': buildAskingModal({ kind: 'limit', plan: worst }, 'U0BEN'),
    'a request that was made': buildAskedModal(aPending().planned, buildAsked(aPending(), ZONE)),
    'a request that is to be rejected': buildRejectForm(aPending({ reason: BAD }), {
      id: 'change-1',
      replyTo: 'D1 1.1',
    }),
    'a request that was rejected': buildRejectEnd('You rejected this.'),
  };
};

const ALLOCATIONS = (): Windows => {
  const allocation = anAllocation(
    aCurrency(),
    ...MANY.slice(0, 20).map(({ currency }) => aCurrency({ currencyType: currency ?? '' })),
  );
  const shown = {
    environmentName: BAD,
    allocation,
    readAt: NOW,
    usage: 'unreadable' as const,
    interrupted: INTERRUPTED,
  };
  const plan = anAllocationPlan(anAllocation(aCurrency({ allocated: 25_000 })), {
    allocated: 30_000,
    rules: { ...ALL_OFF, Deny: true },
  });
  const change = { kind: 'allocation' as const, plan, environmentName: BAD };
  const options = { currency: CURRENCY, ...ZONE };
  return {
    'a search for environments': buildSearchModal({ command: 'allocation', replyTo: REPLY_TO }),
    'an allocation that loads': buildLoadingModal(ALLOCATION_TOPIC, english),
    'a choice of environments': buildEnvironmentChoice(
      Array.from({ length: 30 }, () => ({ environmentId: ID, name: BAD, ownerId: undefined })),
      { query: BAD, replyTo: REPLY_TO },
    ),
    'an allocation': buildAllocationModal(
      { environmentName: 'Production', allocation: anAllocation(), readAt: NOW, usage: [] },
      { shown: 'kept-1', place: 0 },
      options,
    ),
    'an allocation, at its worst': buildAllocationModal(
      shown,
      { shown: 'kept-1', place: 3, replyTo: REPLY_TO },
      options,
    ),
    'a confirmation of credits': buildConfirmation(ALLOCATION_KIND, change, {
      ...ZONE,
      changeId: 'change-1',
      isPushed: true,
      needsApprover: true,
    }),
  };
};

const REVIEW = (): Windows => {
  const finding = anEnvironmentFinding({ name: BAD, environmentId: ID, differences: MANY, ownerId: BAD });
  const agent = anAgentFinding({ name: BAD });
  const { defaults } = aRegister();
  const accept = {
    environmentName: undefined,
    moved: MANY,
    foundAt: NOW - 86_400_000,
    now: NOW,
    ...ZONE,
    state: STATE,
  };
  const open = MANY.map(({ currency }) => ({ currencyType: currency ?? '', rule: 'Deny' as const }));
  return {
    'a decision to accept': buildAcceptModal(anEnvironmentFinding(), { ...accept, moved: [] }),
    'a decision to accept, at its worst': buildAcceptModal(finding, { ...accept, needsApprover: true }),
    'an approved limit': buildApproveLimitModal(AGENT, aDeployedLimit(), { ...ZONE, state: STATE }),
    'an approved limit, at its worst': buildApproveLimitModal(
      WORST_AGENT,
      { source: 'unknown' },
      { ...ZONE, state: STATE, needsApprover: true },
    ),
    'a classification': buildClassifyModal(anEnvironmentFinding({ ownerId: undefined }), {
      defaults,
      choices: ['maker-development', 'funded-production'],
      currency: CURRENCY,
      state: STATE,
    }),
    'a classification, at its worst': buildClassifyModal(finding, {
      defaults,
      choices: ['maker-development'],
      currency: BAD,
      state: STATE,
      needsApprover: true,
    }),
    'a choice of settings': buildSettingsChoice(
      { finding: { ...finding, differences: MANY.slice(0, 30) } },
      { ...STATE, settings: Array.from({ length: 30 }, () => 'k'.repeat(12)) },
    ),
    'many to classify': buildClassifyManyModal(TWO, { state: STATE, currency: CURRENCY, choices: [] }),
    'many to classify, at its worst': buildClassifyManyModal(
      Array.from({ length: MAX_LISTED + 1 }, () => anEnvironmentFinding({ ...WORST_NEW })),
      { state: STATE, currency: BAD, choices: ['maker-development'] },
    ),
    'many classifications to confirm': buildClassifyConfirm(PLAN, { state: STATE }),
    'many classifications to be approved': buildClassifyConfirm(PLAN, { state: STATE, needsApprover: true }),
    'many of which none can be classified': buildNoneToClassify(PLAN.leftOut),
    'a classification to change': buildReclassifyModal(RECORD, RECLASSIFY),
    'a classification to change, at its worst': buildReclassifyModal(
      { ...RECORD, environmentId: ID, name: BAD },
      { ...RECLASSIFY, currency: BAD, choices: ['maker-development'], needsApprover: true },
    ),
    'a choice of rules': buildRuleChoice({ kind: 'needs_choice', finding, open, left: [] }, STATE),
    'a choice whether it is stopped': buildStopChoice(
      {
        kind: 'needs_stop_decision',
        finding: agent,
        agent: WORST_AGENT,
        stopped: 'unknown',
        isStoppedFromHere: false,
        left: [],
      },
      STATE,
    ),
    'a finding with nothing to correct': buildStuck({ kind: 'nothing', finding, left: [] }, BAD),
    'a notice of the review': buildReviewNotice([buildSection('Recorded.')], REVIEW_TOPICS.exception),
    'a decision that is written': buildReviewWorking('Writing it down…', REVIEW_TOPICS.exception),
  };
};

const TWO = [anEnvironmentFinding({ status: 'unclassified' }), anEnvironmentFinding({ status: 'unclassified' })];
const WORST_NEW = { name: BAD, environmentId: ID, status: 'unclassified', tenantPool: 'on' } as const;
const CREDITS = [{ currencyType: BAD, allocated: 2_147_483_647, rules: { Alert: 'on', TenantPool: 'on' } }] as const;
const PLAN: ClassificationPlan = {
  classification: 'funded-production',
  items: Array.from({ length: 200 }, (_, index) => ({
    ...{ kind: 'classification', classification: 'funded-production', registerHash: 'hash-1' },
    ...{ environmentId: ID, name: `${index}${BAD}`, allocations: [...CREDITS] },
  })),
  leftOut: Array.from({ length: 40 }, (_, index) => ({ why: `${index}${'y'.repeat(300)}`, count: 9, names: [BAD] })),
  defaults: undefined,
  unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' },
};
const RECORD: ClassificationRecord = aClassification({ allocations: [...CREDITS], unnamedAgents: PLAN.unnamedAgents });
const RECLASSIFY = {
  state: { id: 'decision-1', environmentId: ID, shown: 'decision-0', replyTo: REPLY_TO },
  ...{ currency: CURRENCY, choices: [], needsApprover: false, ...ZONE },
};

const RULES = (): Windows => {
  const pause = { word: BAD.slice(0, MAX_PAUSE_WORD), by: 'U0KIM', at: NOW };
  const on = { questions: 'allowed', answers: 'thread', webSearch: 'on', threadContext: 'on' } as const;
  const off = { questions: 'refused', answers: 'private', webSearch: 'off', threadContext: 'off' } as const;
  const stored = { ...aRecord({ everywhere: off, channels: { C0PLANS: on } }), version: 1 };
  const state = { schema: 1 as const, channel: 'C0PLANS', before: on, replyTo: REPLY_TO };
  return {
    'channel rules': buildRulesModal({ channel: 'C0PLANS', stored, configured: {}, replyTo: REPLY_TO }),
    'the rules of a workspace': buildRulesModal({ channel: undefined, stored, configured: off, replyTo: REPLY_TO }),
    'the first channel rules': buildRulesModal({ channel: 'C0PLANS', stored: undefined, configured: {}, replyTo: '' }),
    'a change of all channel rules': buildRulesConfirm(state, off) ?? missing('buildRulesConfirm'),
    'a pause': buildPauseModal({ pause: undefined, word: '', ...ZONE, replyTo: REPLY_TO }),
    'a pause that goes on': buildPauseModal({ pause, word: pause.word, ...ZONE, replyTo: REPLY_TO }),
    'the end of a pause': buildResumeModal(pause, { ...ZONE, replyTo: REPLY_TO }),
  };
};

function missing(name: string): never {
  throw new Error(`${name} has built nothing`);
}
