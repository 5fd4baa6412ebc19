// *Draft a policy…*: the first policy has two classes, a class for each environment, and the present settings as approved, so
// that later changes are found. They are read in the background, and the window then shows the plan.
import type { ModalView } from '@slack/types';
import { type Edit, setEdit } from '../../policy/edit.ts';
import { findEntry, listClasses } from '../../policy/policy.ts';
import { toAgentTarget } from '../../policy/target.ts';
import type { Limit } from '../../policy/values.ts';
import { buildSection } from '../../slack/views/content.ts';
import { buildCheckboxes, buildLineField, type Fields } from '../../slack/views/fields.ts';
import { toComparable } from '../inventory/inventory.ts';
import { parseLimit } from '../operations/limit.ts';
import { isSameLimit } from '../plan/compare.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { Seen, SeenAgent, SeenCredits, SeenEnvironment, SeenThreshold } from '../plan/seen.ts';
import type { Proposal } from '../run/engine.ts';
import { type Filled, type FormWindow, type KeptForm, opensForm, showForm } from '../run/kept-form.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Submission } from '../shell/admin-shell.ts';
import { buildEndModal, type Opened } from '../shell/modal.ts';
import { formatCount } from '../shell/numbers.ts';
import { toSome } from './review.ts';
import { REVIEW_ACTIONS } from './review-buttons.ts';
import { listNames } from './review-words.ts';
import { createProgress } from './show-progress.ts';

const TOPIC = { id: 'policy_draft', title: 'Draft a policy', loading: 'Opening…' };

/** The names of the fields. */
const FIELDS = { words: 'words', maker: 'maker', production: 'production', runs: 'runs' };

const NOT_EMPTY = 'There is a policy by now. Give the command again: /assistant-admin review.';

export const DRAFT_FORM: KeptForm<object, FilledDraft> = {
  callbackId: 'policy_draft_form',
  topic: TOPIC,
  tooOld: 'This window is too old. Give the command again: /assistant-admin review.',
  button: opensForm(REVIEW_ACTIONS.draft, (value) => value, openDraft),
  decision: { reason: 'First policy, as it is set now' },
  read: readDraftForm,
  carryOut: (_state, { filled, reason, replyTo }, submission, services) => ({
    answer: { response_action: 'update', view: buildReading() },
    afterwards: () => draft(filled, { reason, replyTo }, submission, services),
  }),
};

async function openDraft(_value: string, opened: Opened, services: GovernanceServices): Promise<void> {
  const { policy } = await services.policy.read();
  if (listClasses(policy).length > 0) return opened.modal.showProblem(NOT_EMPTY);
  await showForm(DRAFT_FORM, { state: {}, ...buildDraftForm() }, opened, services);
}

async function draft(
  filled: FilledDraft,
  { reason, replyTo }: { reason: string; replyTo: string },
  { caller, openSession, toPlace }: Submission,
  services: GovernanceServices,
): Promise<void> {
  const { modal } = toPlace(replyTo, { isWatched: true });
  try {
    const session = await openSession();
    const { currency } = services;
    const { onProgress, end } = createProgress(
      ({ done, total }) => modal.show(buildReading(`${done} of ${formatCount(total, 'environment')}`)),
      services,
    );
    const paced = createPacedSession(session, services.stopping);
    const look = { environments: 'all', agents: 'all', currencies: [currency] } as const;
    const seen = await readSeen(paced, look, services, onProgress).finally(end);
    if (seen.environments.length === 0) return await modal.showProblem(NOTHING_THERE);
    const { policy } = await services.policy.read();
    const drafted = draftPolicy(seen, { ...filled, currency });
    // Keep what somebody has decided already.
    const edits = drafted.edits.filter(({ setting, target }) => findEntry(policy, setting, target) === undefined);
    const proposal = await services.engine.propose(
      edits,
      { caller, openSession: async () => session },
      { seen, ...(filled.isRunning && { unknownStop: 'runs' as const }) },
    );
    const warnings = [...describeDraft(drafted, { isPart: !seen.isWhole }), ...proposal.warnings];
    const shown: Proposal = { ...proposal, warnings };
    await showPlan({ modal, caller, replyTo }, shown, services, { reason });
  } catch (error) {
    await modal.showFailure(error);
  }
}

const NOTHING_THERE = 'The service lists no environment, so there is nothing to draft a policy from.';

/** Mrkdwn. */
export function describeDraft(
  { production, maker, asFound, unreadable }: Draft,
  { isPart }: { isPart: boolean },
): string[] {
  const listed = production.length === 0 ? '' : `: ${listNames(toSome(production))}`;
  return [
    `*${formatCount(production.length, 'environment')} as ${PRODUCTION}*${listed}; ${formatCount(maker.length, 'other')} as ${MAKER}.`,
    'Credits and rules are approved as they are set now.',
    ...(asFound > 0 ? [`The limit or stop of ${formatCount(asFound, 'agent')} is approved as it is set now.`] : []),
    ...(unreadable.length > 0
      ? [`:warning: The credits of ${listNames(toSome(unreadable))} could not be read, and are left open.`]
      : []),
    ...(isPart ? [':warning: The service did not list everything: the rest will be new in the next review.'] : []),
  ];
}

export function buildDraftForm(): FormWindow {
  const hint =
    'Credits a month for each agent without a limit of its own; notice at 80 %, goes on at the limit. Empty: left open.';
  const toField = (name: string, label: string, hint?: string) => ({ name, label, hint, isOptional: true });
  const ofWords = 'Words, separated by commas. All other environments are for makers.';
  const words = toField(FIELDS.words, 'Production environments have in their names', ofWords);
  const runs = toField(FIELDS.runs, 'Where the service does not show limits');
  const blocks = [
    buildSection('What is set now becomes what is approved. Each environment gets a class by its name.'),
    buildLineField(words, { initial: 'prod' }),
    buildLineField(toField(FIELDS.maker, 'Default limit for makers', hint)),
    buildLineField(toField(FIELDS.production, 'Default limit in production', hint)),
    buildCheckboxes(runs, [['yes', 'No agent is stopped now']]),
  ];
  return { submit: 'Look at it', blocks };
}

export type FilledDraft = Omit<DraftInput, 'currency'> & { isRunning: boolean };

export function readDraftForm(fields: Fields): Filled<FilledDraft> {
  const words = fields.text(FIELDS.words).split(',');
  const makerLimit = readDefault(fields.text(FIELDS.maker));
  const productionLimit = readDefault(fields.text(FIELDS.production));
  if (typeof makerLimit !== 'string' && typeof productionLimit !== 'string') {
    const productionWords = words.map((word) => word.trim()).filter((word) => word !== '');
    return {
      filled: { productionWords, makerLimit, productionLimit, isRunning: fields.ticked(FIELDS.runs).length > 0 },
    };
  }
  return {
    errors: {
      ...(typeof makerLimit === 'string' && { [FIELDS.maker]: makerLimit }),
      ...(typeof productionLimit === 'string' && { [FIELDS.production]: productionLimit }),
    },
  };
}

/** A sentence if it is no limit. */
function readDefault(credits: string): Limit | undefined | string {
  if (credits === '') return undefined;
  const parsed = parseLimit({ credits, noticeAt: '80', stopAtLimit: false });
  return parsed.errors?.credits ?? parsed.limit;
}

function buildReading(progress?: string): ModalView {
  const text = `Reading what is set…${progress === undefined ? '' : ` ${progress}`} Leave this window open: the plan is shown here.`;
  return buildEndModal(`${TOPIC.id}_reading`, TOPIC.title, [buildSection(text)]);
}

const MAKER = 'maker';
const PRODUCTION = 'production';

/** `productionWords`: an environment with one of them in its name is for production. Limits: undefined if left open. */
export type DraftInput = {
  productionWords: readonly string[];
  makerLimit: Limit | undefined;
  productionLimit: Limit | undefined;
  currency: string;
};

export type Draft = {
  edits: Edit[];
  /** Names. */
  production: string[];
  maker: string[];
  /** Environments whose credits could not be read. The policy does not state them. */
  unreadable: string[];
  /** Agents whose limit or stop is approved as it was found. */
  asFound: number;
};

export function draftPolicy(seen: Seen, input: DraftInput): Draft {
  const { currency } = input;
  const production = seen.environments.filter(({ name }) => fitsWords(name, input.productionWords));
  const maker = seen.environments.filter((one) => !production.includes(one));
  const ids = new Set(production.map(({ environmentId }) => environmentId.toLowerCase()));
  const isProduction = ({ environmentId }: { environmentId: string }) => ids.has(environmentId.toLowerCase());
  const ofAgents = seen.agents.map((agent) => {
    const ofClass = isProduction(agent) ? input.productionLimit : input.makerLimit;
    return draftAgent(agent, seen.threshold(agent, currency), { ofClass, currency });
  });
  const toNames = (environments: readonly SeenEnvironment[]) => environments.map(({ name }) => name);
  return {
    edits: [
      ...draftStandards(input),
      ...seen.environments.flatMap((one) => draftEnvironment(one, isProduction(one) ? PRODUCTION : MAKER, seen)),
      ...ofAgents.flat(),
    ],
    production: toNames(production),
    maker: toNames(maker),
    unreadable: toNames(seen.environments.filter(({ environmentId }) => !isRead(seen.credits(environmentId)))),
    asFound: ofAgents.filter(({ length }) => length > 0).length,
  };
}

/** The classes state no credits: those are approved separately for each environment. */
function draftStandards({ makerLimit, productionLimit }: DraftInput): Edit[] {
  const toStandard = (limit: Limit | undefined) => ({ ...(limit !== undefined && { limit }), credits: {} });
  return [
    setEdit('standard', { className: MAKER }, toStandard(makerLimit)),
    setEdit('standard', { className: PRODUCTION }, toStandard(productionLimit)),
  ];
}

function fitsWords(name: string, words: readonly string[]): boolean {
  const comparable = toComparable(name);
  return words.some((word) => comparable.includes(toComparable(word)));
}

function isRead(looked: SeenCredits | undefined): looked is Exclude<SeenCredits, 'unreadable'> {
  return typeof looked === 'object';
}

function draftEnvironment({ environmentId }: SeenEnvironment, className: string, seen: Seen): Edit[] {
  const looked = seen.credits(environmentId);
  const credits = isRead(looked) ? Object.entries(looked.credits) : [];
  return [
    setEdit('class', { environmentId }, className),
    ...credits.map(([currency, one]) => setEdit('credits', { environmentId, currency }, one)),
  ];
}

/** None where the agent is as its class says, or the service does not show it. */
function draftAgent(
  agent: SeenAgent,
  shown: SeenThreshold,
  { ofClass, currency }: { ofClass: Limit | undefined; currency: string },
): Edit[] {
  if (typeof shown === 'string') return [];
  const isOwn = shown.limit !== 'none' && (ofClass === undefined || !isSameLimit(shown.limit, ofClass));
  return [
    ...(isOwn ? [setEdit('limit', toAgentTarget(agent, currency), shown.limit)] : []),
    ...(shown.stopped ? [setEdit('stop', toAgentTarget(agent), true)] : []),
  ];
}
