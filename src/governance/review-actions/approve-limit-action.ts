// *Approve limit…*: what limit an agent is to have that the register says nothing about.
import type { ModalView } from '@slack/types';
import { buildSection } from '../../slack/views/content.ts';
import { type GovernedAgent, type KnownLimit, readValues } from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { lookUpLimit, SOON } from '../limits/known-limit.ts';
import { buildLimitFields, DEFAULT_THRESHOLD, readLimitForm, toLimitErrors } from '../limits/limit-form-views.ts';
import { describeKnownLimit, describeSource } from '../limits/limit-words.ts';
import type { ApprovedLimit } from '../register/register.ts';
import { type ApprovedLimitForm, approveLimit, parseApprovedLimit } from '../review/decisions.ts';
import { toGoverned } from '../review/finding.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildCheckbox, type FormValues, isTicked } from '../shell/form-fields.ts';
import { type DecidePorts, registerReviewDecision } from './decide-action.ts';
import { buildDecisionForm, type ReviewFormState } from './review-action-views.ts';

/** *Approve limit…* on an agent that the register says nothing about. */
export function registerReviewApproveLimit(shell: AdminShell, ports: DecidePorts): void {
  registerReviewDecision<'agent_limit', { limit: ApprovedLimit }>(
    shell,
    {
      kind: 'agent_limit',
      working: 'Recording the limit that is approved…',
      async buildForm({ finding, environmentName }, { caller, session, state, needsApprover }) {
        const [{ agent, known }, timeZone] = await Promise.all([
          // A help only: what is approved needs no limit that is set.
          lookUpLimit(toGoverned(finding, environmentName), { session, ...ports }, SOON),
          ports.timeZone(caller),
        ]);
        return buildApproveLimitModal(agent, known, { timeZone, state, needsApprover });
      },
      read(values) {
        const parsed = parseApprovedLimit(readApproveLimitForm(values));
        return parsed.ok ? { answer: { limit: parsed.limit } } : { errors: toLimitErrors(parsed.errors) };
      },
      decide: ({ finding }, request) => approveLimit(finding, request),
    },
    ports,
  );
}

/** The block id. */
const NONE_FIELD = 'no_limit';

/** Filled in with the present limit, if it is known: most often that is the one to approve. */
export function buildApproveLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, state, needsApprover }: { timeZone: string; state: ReviewFormState; needsApprover?: boolean },
): ModalView {
  const old = readValues(known);
  return buildDecisionForm(REVIEW_TOPICS.agent_limit, {
    submit: 'Approve',
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      buildNotes([
        `${describeSource(known, timeZone)}\nWhat you approve is what reviews compare with. The limit itself is not changed.`,
      ]),
      buildCheckbox(NONE_FIELD, 'No limit', 'No monthly limit is approved: the rest does not count', false),
      // With no limit there is nothing to enter.
      ...buildLimitFields(old, { isOptional: true }),
    ],
    state,
    needsApprover,
  });
}

/** As typed and ticked: parseApprovedLimit says whether it makes a limit. */
export function readApproveLimitForm(values: FormValues): ApprovedLimitForm {
  const isNone = isTicked(values, NONE_FIELD);
  const form = readLimitForm(values);
  // If nobody is notified, the percentage that was not entered does not count.
  const threshold = form.notify ? form.notificationThreshold : form.notificationThreshold || String(DEFAULT_THRESHOLD);
  return { ...form, notificationThreshold: threshold, isNone };
}
