import { randomUUID } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { onReviewButton, type Pressed } from '../../slack/listeners/admin/review-action/open.ts';
import { REASON_FIELD, readReason } from '../../slack/views/admin/reason-field.ts';
import { REVIEW_APPROVE_LIMIT_ACTION } from '../../slack/views/admin/review/place.ts';
import {
  APPROVE_LIMIT_FORM,
  buildApproveLimitModal,
  readApproveLimitForm,
} from '../../slack/views/admin/review-action/limit.ts';
import { parseReason } from '../audit/reason.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import { lookUpLimit } from '../limits/known-limit.ts';
import { toViewErrors } from '../limits/limit-form-views.ts';
import { parseApprovedLimit } from '../review/approved-limit-form.ts';
import { APPROVE_LIMIT_TOPIC } from '../review/decided-views.ts';
import { approveLimit, approvesMore } from '../review/decisions.ts';
import type { AgentFinding, Finding } from '../review/finding.ts';
import { toGoverned } from '../review/look-again.ts';
import { type Reviewed, readDecidable } from '../review/reviewed-finding.ts';
import { toStandards } from '../review/standards.ts';
import { findLimitProblem } from '../review/still-open.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type DecidePorts, decideAndTell } from './decide-action.ts';
import { type Checked, type FormPorts, type FormValues, registerReviewForm } from './review-action.ts';

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
