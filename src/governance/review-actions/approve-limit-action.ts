// *Approve limit…*: what limit an agent is to have that the register says nothing about.
import type { InputBlock, ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildSection } from '../../slack/views/content.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { lookUpLimit } from '../limits/known-limit.ts';
import {
  buildCheckbox,
  buildTextInput,
  FIELDS,
  readLimitForm,
  toViewErrors,
  type ViewValues,
} from '../limits/limit-form-views.ts';
import { describeKnownLimit, describeSource } from '../limits/limit-words.ts';
import type { ApprovedLimit } from '../register/register.ts';
import { APPROVE_LIMIT_TOPIC } from '../review/decided-views.ts';
import { type ApprovedLimitForm, approveLimit, parseApprovedLimit } from '../review/decisions.ts';
import { toGoverned } from '../review/finding.ts';
import { REVIEW_APPROVE_LIMIT_ACTION } from '../review/finding-views.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { type DecidePorts, registerReviewDecision } from './decide-action.ts';
import { buildDecisionForm, type ReviewFormState } from './review-action-views.ts';

/** The block id. */
const NONE_FIELD = 'no_limit';

/** Ours, where nothing else is known. */
const DEFAULT_ALERT_AT = 80;

/** *Approve limit…* on an agent that the register says nothing about. */
export function registerReviewApproveLimit(shell: AdminShell, ports: DecidePorts): void {
  registerReviewDecision<'agent_limit', { limit: ApprovedLimit }>(
    shell,
    {
      kind: 'agent_limit',
      actionId: REVIEW_APPROVE_LIMIT_ACTION,
      topic: APPROVE_LIMIT_TOPIC,
      working: 'Recording the limit that is approved…',
      async buildForm({ finding, environmentName }, { caller, session, state, needsApprover }) {
        const [{ agent, known }, timeZone] = await Promise.all([
          lookUp(toGoverned(finding, environmentName), session, ports),
          ports.timeZone(caller),
        ]);
        return buildApproveLimitModal(agent, known, { timeZone, state, needsApprover });
      },
      read(values) {
        const parsed = parseApprovedLimit(readApproveLimitForm(values));
        return parsed.ok ? { answer: { limit: parsed.limit } } : { errors: toViewErrors(parsed.errors) };
      },
      decide: ({ finding }, request) => approveLimit(finding, request),
    },
    ports,
  );
}

/** What is set now is a help only: where it cannot be read, it is unknown. */
async function lookUp(
  agent: GovernedAgent,
  session: AdminSession,
  { changes, now }: DecidePorts,
): Promise<{ agent: GovernedAgent; known: KnownLimit }> {
  try {
    return await lookUpLimit(agent, { session, changes, now });
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return { agent, known: { source: 'unknown' } };
  }
}

/** Filled in with what is set now, where that is known: most often that is what is to be approved. */
export function buildApproveLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, state, needsApprover }: { timeZone: string; state: ReviewFormState; needsApprover?: boolean },
): ModalView {
  const old = known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
  return buildDecisionForm(APPROVE_LIMIT_TOPIC, {
    submit: 'Approve',
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      buildNotes([
        `${describeSource(known, timeZone)}\nWhat you approve is what reviews compare with. The limit itself is not changed.`,
      ]),
      buildCheckbox(NONE_FIELD, 'No limit', 'No monthly limit is approved: the rest does not count', false),
      {
        ...buildTextInput(FIELDS.limit, 'Credits a month', {
          initial: old === undefined ? undefined : String(Math.round(old.limit)),
          hint: 'A whole number. The limit is for this agent alone; it does not cap its environment.',
        }),
        // With no limit there is nothing to enter.
        optional: true,
      } satisfies InputBlock,
      buildCheckbox(FIELDS.notify, 'Notice', 'Notify administrators before the limit is reached', old?.notify ?? true),
      {
        ...buildTextInput(FIELDS.notificationThreshold, 'Notify at (percent of the limit)', {
          initial: String(old?.notificationThreshold ?? DEFAULT_ALERT_AT),
        }),
        optional: true,
      } satisfies InputBlock,
      buildCheckbox(
        FIELDS.stopWhenReached,
        'When the limit is reached',
        'Stop the agent for everybody who uses it',
        old?.stopWhenReached ?? false,
      ),
    ],
    state,
    needsApprover,
  });
}

/** As typed and ticked: parseApprovedLimit says whether it makes a limit. */
export function readApproveLimitForm(values: ViewValues): ApprovedLimitForm {
  const isNone = (values[NONE_FIELD]?.value?.selected_options ?? []).length > 0;
  const form = readLimitForm(values);
  // Where nobody is notified, the percentage that was not entered does not count.
  const threshold = form.notify ? form.notificationThreshold : form.notificationThreshold || String(DEFAULT_ALERT_AT);
  return { ...form, notificationThreshold: threshold, isNone };
}
