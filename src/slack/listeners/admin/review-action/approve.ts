import { randomUUID } from 'node:crypto';
import type { AdminSession } from '../../../../admin/admin-session.ts';
import { toAdminFailure } from '../../../../governance/admin-failure.ts';
import { parseReason } from '../../../../governance/audit/reason.ts';
import type { ChangeStore } from '../../../../governance/change-store.ts';
import { lookUpLimit } from '../../../../governance/known-limit.ts';
import type { GovernedAgent, KnownLimit } from '../../../../governance/limit.ts';
import { parseApprovedLimit } from '../../../../governance/review/approved-limit-form.ts';
import { approveLimit, approvesMore } from '../../../../governance/review/decisions.ts';
import type { AgentFinding, Finding } from '../../../../governance/review/finding.ts';
import { toGoverned } from '../../../../governance/review/look-again.ts';
import { toStandards } from '../../../../governance/review/standards.ts';
import { findLimitProblem } from '../../../../governance/review/still-open.ts';
import { toViewErrors } from '../../../views/admin/limit/form.ts';
import { REASON_FIELD, readReason } from '../../../views/admin/reason-field.ts';
import { REVIEW_APPROVE_LIMIT_ACTION } from '../../../views/admin/review/place.ts';
import {
  APPROVE_LIMIT_FORM,
  buildApproveLimitModal,
  readApproveLimitForm,
} from '../../../views/admin/review-action/limit.ts';
import { APPROVE_LIMIT_TOPIC } from '../../../views/admin/review-action/words.ts';
import type { AdminShell } from '../admin-shell.ts';
import type { TimeZones } from '../say.ts';
import { type DecidePorts, decideAndTell } from './decide.ts';
import { type Reviewed, readDecidable } from './finding.ts';
import { onReviewButton, type Pressed } from './open.ts';
import { type Checked, type FormPorts, type FormValues, registerReviewForm } from './submit.ts';

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
