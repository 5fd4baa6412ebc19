import { randomUUID } from 'node:crypto';
import type { InputBlock, ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { parseReason } from '../audit/audited-changes.ts';
import type { ChangeStore } from '../changes/change.ts';
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
import { APPROVE_LIMIT_TOPIC } from '../review/decided-views.ts';
import { type ApprovedLimitForm, approveLimit, approvesMore, parseApprovedLimit } from '../review/decisions.ts';
import type { AgentFinding, Finding } from '../review/finding.ts';
import { REVIEW_APPROVE_LIMIT_ACTION } from '../review/finding-views.ts';
import { findLimitProblem, toGoverned } from '../review/recheck.ts';
import { type Reviewed, readDecidable } from '../review/reviewed-finding.ts';
import { toStandards } from '../review/standards.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildReasonInput, REASON_FIELD, readReason } from '../shell/blocks.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type DecidePorts, decideAndTell } from './decide-action.ts';
import {
  type Checked,
  type FormPorts,
  type FormValues,
  onReviewButton,
  type Pressed,
  registerReviewForm,
} from './review-action.ts';
import {
  buildDecisionApprover,
  buildDecisionSubmit,
  encodeReviewForm,
  type ReviewFormState,
} from './review-action-views.ts';

const NO_AGENT = 'This is not about an agent, so there is no limit to approve. Look at the review again.';

export type ApproveLimitPorts = DecidePorts & FormPorts & TimeZones & { changes: Pick<ChangeStore, 'lastSet'> };

/** *Approve limit…* on an agent that the register says nothing about. */
export function registerReviewApproveLimit(shell: AdminShell, ports: ApproveLimitPorts): void {
  const topic = APPROVE_LIMIT_TOPIC;
  onReviewButton(shell, { actionId: REVIEW_APPROVE_LIMIT_ACTION, topic }, (pressed) => open(pressed, ports));
  const form = { callbackId: APPROVE_LIMIT_FORM, topic, working: 'Recording the limit that is approved…' };
  registerReviewForm(shell, { ...form, check: (values) => check(values, ports) }, ports);
}

async function open({ caller, place, modal, session, replyTo }: Pressed, ports: ApproveLimitPorts): Promise<void> {
  const found = await readDecidable(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { finding, environmentName } = found;
  const problem = findProblem(finding, found);
  if (problem !== undefined || finding.kind !== 'agent') return modal.showProblem(problem ?? NO_AGENT);
  const [{ agent, known }, timeZone] = await Promise.all([
    lookUp(toGoverned(finding, environmentName), session, ports),
    ports.timeZone(caller),
  ]);
  const state = { id: randomUUID(), place, replyTo };
  const needsApprover = ports.needsApproval && approvesMore('agent_limit', finding);
  await modal.show(buildApproveLimitModal(agent, known, { timeZone, state, needsApprover }));
}

/** What is set now is a help only: where it cannot be read, it is unknown. */
async function lookUp(
  agent: GovernedAgent,
  session: AdminSession,
  { changes, now }: ApproveLimitPorts,
): Promise<{ agent: GovernedAgent; known: KnownLimit }> {
  try {
    return await lookUpLimit(agent, { session, changes, now });
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return { agent, known: { source: 'unknown' } };
  }
}

function check(values: FormValues, ports: ApproveLimitPorts): Checked {
  const limit = parseApprovedLimit(readApproveLimitForm(values));
  const parsed = parseReason(readReason(values));
  if (!limit.ok || !parsed.ok) {
    return {
      errors: {
        ...(limit.ok ? {} : toViewErrors(limit.errors)),
        ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
      },
    };
  }
  return {
    run: (submitted) =>
      decideAndTell(
        submitted,
        {
          topic: APPROVE_LIMIT_TOPIC,
          reason: parsed.reason,
          decide(found, request) {
            const problem = findProblem(found.finding, found);
            if (problem !== undefined) return { problem };
            return approveLimit(found.finding as AgentFinding, { ...request, limit: limit.limit });
          },
          approvesMore: ({ finding }) => approvesMore('agent_limit', finding),
        },
        ports,
      ),
  };
}

function findProblem(finding: Finding, { approved }: Reviewed): string | undefined {
  return finding.kind === 'agent' ? findLimitProblem(finding, toStandards(approved.register)) : NO_AGENT;
}

// *Approve limit…*: what limit an agent is to have that the register says nothing about.
const APPROVE_LIMIT_FORM = `${APPROVE_LIMIT_TOPIC.id}_form`;

/** The block id. */
const NONE_FIELD = 'no_limit';

/** Ours, where nothing else is known. */
const DEFAULT_ALERT_AT = 80;

/**
 * Filled in with what is set now, where that is known: most often that is what is to be approved. `needsApprover`: a second
 * admin has to approve it, and is asked for.
 */
export function buildApproveLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, state, needsApprover = false }: { timeZone: string; state: ReviewFormState; needsApprover?: boolean },
): ModalView {
  const old = known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
  return {
    type: 'modal',
    callback_id: APPROVE_LIMIT_FORM,
    title: buildPlainText(APPROVE_LIMIT_TOPIC.title),
    submit: buildDecisionSubmit('Approve', needsApprover),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `${describeSource(known, timeZone)}\nWhat you approve is what reviews compare with. The limit itself is not changed.`,
            verbatim: true,
          },
        ],
      },
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
      buildReasonInput(),
      ...buildDecisionApprover(needsApprover),
    ],
  };
}

/** As typed and ticked: parseApprovedLimit says whether it makes a limit. */
export function readApproveLimitForm(values: ViewValues): ApprovedLimitForm {
  const isNone = (values[NONE_FIELD]?.value?.selected_options ?? []).length > 0;
  const form = readLimitForm(values);
  // Where nobody is notified, the percentage that was not entered does not count.
  const threshold = form.notify ? form.notificationThreshold : form.notificationThreshold || String(DEFAULT_ALERT_AT);
  return { ...form, notificationThreshold: threshold, isNone };
}
