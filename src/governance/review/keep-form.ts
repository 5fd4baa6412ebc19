// *Keep…*: what was found becomes what is approved, through a last day or for good.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildSection, buildTitle } from '../../slack/views/content.ts';
import { carryOut } from '../forms/policy-form.ts';
import { findCredits, isSameLimit } from '../plan/compare.ts';
import type { CreditsItem, Item } from '../plan/plan.ts';
import { type Edit, setEdit } from '../policy/edit.ts';
import { type Day, type Policy, readEntry } from '../policy/policy.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import { buildDecisionFields, type DecisionFields, readDecision } from '../run/decision-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { fitLines } from '../shell/blocks.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import type { Finding } from './finding.ts';
import { readFindings } from './kept-review.ts';
import { OUT_OF_DATE, parsePlace, REVIEW_ACTIONS } from './review-buttons.ts';
import { describeFinding } from './review-words.ts';

const TOPIC = { id: 'review_keep', title: 'Keep', loading: 'Reading again what is set…' };

const CALLBACK = 'review_keep_form';

const stateSchema = z.object({ id: z.string(), index: z.number(), replyTo: z.string() });

type State = z.infer<typeof stateSchema>;

export function registerKeep(shell: AdminShell, services: GovernanceServices): void {
  const approver = services.needsApproval ? 'maybe' : 'none';
  shell.onOwnModalButton(
    { actionId: REVIEW_ACTIONS.keep, topic: TOPIC, parse: parsePlace, outOfDate: OUT_OF_DATE },
    async ({ id, index = 0 }, { modal, replyTo }) => {
      const [finding] = (await readFindings({ id, index }, services))?.findings ?? [];
      if (finding === undefined) return modal.showProblem(OUT_OF_DATE);
      await modal.show(buildKeepForm(finding, { id, index, replyTo }, approver));
    },
    { isForAll: false },
  );

  shell.onSubmission({ callbackId: CALLBACK, topic: TOPIC, isFresh: true }, async (submission) => {
    const { view, caller } = submission;
    const asked = { caller, errors: {}, needsApprover: false };
    const decision = await readDecision(view.state.values as FormValues, asked, services);
    if ('errors' in decision) return { answer: { response_action: 'errors', errors: decision.errors } };
    const state = parseState(stateSchema, view.private_metadata);
    const [finding] = (state && (await readFindings(state, services)))?.findings ?? [];
    const { policy } = await services.policy.read();
    const edits = finding ? toKeepEdits(finding, policy, { until: decision.until, now: services.now() }) : [];
    if (state === undefined || edits.length === 0) return { answer: toProblem(OUT_OF_DATE, TOPIC) };
    // It is there already, so that nothing is to be written.
    const isAsShown = (items: readonly unknown[]) => items.length === 0;
    return carryOut({ edits, decision, isAsShown }, submission, { topic: TOPIC, replyTo: state.replyTo }, services);
  });
}

export function buildKeepForm(finding: Finding, state: State, approver: DecisionFields['approver']): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACK,
    title: buildTitle('Keep'),
    submit: buildTitle('Keep'),
    close: buildTitle('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      buildSection(fitLines([describeFinding(finding), 'It is approved as it is now.'])),
      ...buildDecisionFields({ hasUntil: true, approver }),
    ],
  };
}

/** What is not shown cannot be kept, nor that there are no credits at all. */
export function isKeepable(item: Item): boolean {
  if (item.resource === 'threshold') return item.before !== 'unknown';
  return Object.keys(item.after).every((currency) => findCredits(item.before, currency) !== undefined);
}

/** `until`: the last day; undefined: for good. */
type Kept = { until: Day | undefined; now: number };

/** The edits after which what was found is what is approved; an exception that ends keeps its value. */
export function toKeepEdits(finding: Finding, policy: Policy, kept: Kept): Edit[] {
  if (finding.group === 'ending') {
    const { setting, target, exception } = finding.entry;
    return exception === undefined ? [] : [setEdit(setting, target, exception.value, kept.until)];
  }
  if (!('item' in finding)) return [];
  const { item } = finding;
  if (item.resource === 'credits') return keepCredits(item, policy, kept);
  const { before, after, agent, currency } = item;
  if (before === 'unknown') return [];
  const target = { environmentId: agent.environmentId, agentId: agent.agentId };
  const limit = setEdit('limit', { ...target, currency }, before.limit, kept.until);
  const stop = setEdit('stop', target, before.stopped, kept.until);
  return [
    ...(isSameLimit(before.limit, after.limit) ? [] : [limit]),
    ...(before.stopped === after.stopped ? [] : [stop]),
  ];
}

function keepCredits({ environmentId, before, after }: CreditsItem, policy: Policy, { until, now }: Kept): Edit[] {
  return Object.entries(after).flatMap(([currency, approved]) => {
    const found = findCredits(before, currency);
    if (found === undefined) return [];
    const target = { environmentId, currency };
    const own = readEntry(policy, 'credits', target, now)?.value;
    return [setEdit('credits', target, mergeCredits(own, approved, found), until)];
  });
}

/** What the entry states already, with what differs as it was found. */
function mergeCredits(own: Credits | undefined, approved: Credits, found: Credits): Credits {
  const isOther = found.allocated !== undefined && found.allocated !== approved.allocated;
  const allocated = isOther ? found.allocated : own?.allocated;
  const changed = RULE_TYPES.filter(
    (rule) => found.rules[rule] !== undefined && found.rules[rule] !== approved.rules[rule],
  );
  const rules = { ...own?.rules, ...Object.fromEntries(changed.map((rule) => [rule, found.rules[rule]])) };
  return { ...(allocated !== undefined && { allocated }), rules };
}
