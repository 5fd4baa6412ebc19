// *Draft a policy…*: one window for the first policy of all. What is set is read in the background, and the plan takes the
// place of the window.
import type { ModalView } from '@slack/types';
import { buildSection, buildTitle } from '../../slack/views/content.ts';
import { parseReason } from '../audit/reason.ts';
import { parseLimit } from '../operations/limit.ts';
import { readSeen } from '../plan/read-seen.ts';
import { findEntry, listClasses } from '../policy/policy.ts';
import type { Limit } from '../policy/values.ts';
import type { Proposal } from '../run/engine.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import {
  buildCheckbox,
  buildReasonInput,
  buildTextInput,
  type FormValues,
  isTicked,
  REASON_FIELD,
  readReason,
  readText,
} from '../shell/form-fields.ts';
import { type Draft, type DraftInput, draftPolicy, MAKER, PRODUCTION } from './draft.ts';
import { REVIEW_ACTIONS } from './review-buttons.ts';
import { formatCount, listNames } from './review-words.ts';

const TOPIC = { id: 'policy_draft', title: 'Draft a policy', loading: 'Opening…' };

const CALLBACK = 'policy_draft_form';

/** The block ids. */
const FIELDS = { words: 'words', maker: 'maker', production: 'production', runs: 'runs' };

const NOT_EMPTY = 'There is a policy by now. Give the command again: /assistant-admin review.';

export function registerDraft(shell: AdminShell, services: GovernanceServices): void {
  shell.onOwnModalButton(
    { actionId: REVIEW_ACTIONS.draft, topic: TOPIC, parse: (value) => value, outOfDate: NOT_EMPTY },
    async (_value, { modal, replyTo }) => {
      const { policy } = await services.policy.read();
      if (listClasses(policy).length > 0) return modal.showProblem(NOT_EMPTY);
      await modal.show(buildDraftForm(replyTo));
    },
    { isForAll: false },
  );

  shell.onSubmission({ callbackId: CALLBACK, topic: TOPIC, isFresh: true }, async (submission) => {
    const filled = readDraftForm(submission.view.state.values as FormValues);
    if ('errors' in filled) return { answer: { response_action: 'errors', errors: filled.errors } };
    return {
      answer: { response_action: 'update', view: buildReading() },
      afterwards: () => draft(filled, submission, services),
    };
  });
}

async function draft(filled: FilledDraft, submission: Submission, services: GovernanceServices): Promise<void> {
  const { caller, view, openSession, toPlace } = submission;
  const replyTo = view.private_metadata;
  const { modal } = toPlace(replyTo, { isWatched: true });
  try {
    const session = await openSession();
    const { currency } = services;
    let shownAt = services.now();
    let showing = Promise.resolve();
    const seen = await readSeen(
      createPacedSession(session, services.stopping),
      { environments: 'all', agents: 'all', currencies: [currency] },
      services,
      ({ done, total }) => {
        if (services.now() - shownAt < EVERY_MS) return;
        shownAt = services.now();
        showing = modal.show(buildReading(`${done} of ${formatCount(total, 'environment')}`));
      },
    );
    // Slack may get updates that are made at once in any order.
    await showing;
    if (seen.environments.length === 0) return await modal.showProblem(NOTHING_THERE);
    const { policy } = await services.policy.read();
    const drafted = draftPolicy(seen, { ...filled, currency });
    // What somebody has decided already stays as it is.
    const edits = drafted.edits.filter(({ setting, target }) => findEntry(policy, setting, target) === undefined);
    const proposal = await services.engine.propose(
      edits,
      { caller, openSession: async () => session },
      { seen, ...(filled.isRunning && { unknownStop: 'runs' as const }) },
    );
    const warnings = [...describeDraft(drafted, { isPart: !seen.isWhole }), ...proposal.warnings];
    const shown: Proposal = { ...proposal, warnings };
    await showPlan({ modal, caller, replyTo }, shown, services, { reason: filled.reason });
  } catch (error) {
    await modal.showFailure(error);
  }
}

const NOTHING_THERE = 'The service lists no environment, so there is nothing to draft a policy from.';

/** Slack counts each update. */
const EVERY_MS = 3_000;

/** Mrkdwn. */
export function describeDraft(
  { production, maker, asFound, unreadable }: Draft,
  { isPart }: { isPart: boolean },
): string[] {
  const toSome = (names: readonly string[]) => ({ count: names.length, names: [...names] });
  const listed = production.length === 0 ? '' : `: ${listNames(toSome(production))}`;
  return [
    `*${formatCount(production.length, 'environment')} as ${PRODUCTION}*${listed}; ${formatCount(maker.length, 'other')} as ${MAKER}.`,
    'Credits and rules are approved as they are set now.',
    ...(asFound > 0 ? [`The limit or stop of ${formatCount(asFound, 'agent')} is approved as it is set now.`] : []),
    ...(unreadable.length > 0
      ? [`:warning: Without credits, which could not be read: ${listNames(toSome(unreadable))}.`]
      : []),
    ...(isPart ? [':warning: The service did not list everything: the rest will be new in the next review.'] : []),
  ];
}

export function buildDraftForm(replyTo: string): ModalView {
  const hint =
    'Credits a month for each agent without a limit of its own; notice at 80 %, goes on at the limit. Empty: left open.';
  return {
    type: 'modal',
    callback_id: CALLBACK,
    title: buildTitle('Draft a policy'),
    submit: buildTitle('Look at it'),
    close: buildTitle('Cancel'),
    private_metadata: replyTo,
    blocks: [
      buildSection('What is set now becomes what is approved. Each environment gets a class by its name.'),
      buildTextInput(FIELDS.words, 'Production environments have in their names', {
        initial: 'prod',
        hint: 'Words, apart by commas. All other environments are for makers.',
        isOptional: true,
      }),
      buildTextInput(FIELDS.maker, 'Default limit for makers', { hint, isOptional: true }),
      buildTextInput(FIELDS.production, 'Default limit in production', { hint, isOptional: true }),
      buildCheckbox(FIELDS.runs, 'Where the service does not show limits', 'No agent is stopped now', false),
      buildReasonInput('First policy, as it is set now'),
    ],
  };
}

export type FilledDraft = Omit<DraftInput, 'currency'> & { isRunning: boolean; reason: string };

export function readDraftForm(values: FormValues): FilledDraft | { errors: Record<string, string> } {
  const words = readText(values, FIELDS.words).split(',');
  const makerLimit = readDefault(readText(values, FIELDS.maker));
  const productionLimit = readDefault(readText(values, FIELDS.production));
  const reason = parseReason(readReason(values));
  if (typeof makerLimit !== 'string' && typeof productionLimit !== 'string' && reason.ok) {
    return {
      productionWords: words.map((word) => word.trim()).filter((word) => word !== ''),
      ...{ makerLimit, productionLimit, isRunning: isTicked(values, FIELDS.runs), reason: reason.reason },
    };
  }
  return {
    errors: {
      ...(typeof makerLimit === 'string' && { [FIELDS.maker]: makerLimit }),
      ...(typeof productionLimit === 'string' && { [FIELDS.production]: productionLimit }),
      ...(!reason.ok && { [REASON_FIELD]: reason.sentence }),
    },
  };
}

/** A sentence where it is no limit. */
function readDefault(credits: string): Limit | undefined | string {
  if (credits.trim() === '') return undefined;
  const parsed = parseLimit({ credits, noticeAt: '80', stopAtLimit: false });
  return parsed.errors?.credits ?? parsed.limit;
}

function buildReading(progress?: string): ModalView {
  const text = `Reading what is set…${progress === undefined ? '' : ` ${progress}`} Leave this window open: the plan is shown here.`;
  return {
    type: 'modal',
    callback_id: `${TOPIC.id}_reading`,
    title: buildTitle('Draft a policy'),
    blocks: [buildSection(text)],
  };
}
