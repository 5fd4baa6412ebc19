import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import { parseReason } from '../../../governance/audit/reason.ts';
import { acceptDrift } from '../../../governance/review/decisions.ts';
import { findLastDayProblem } from '../../../governance/review/last-day.ts';
import { toStandards } from '../../../governance/review/standards.ts';
import { withExceptionsOfNow } from '../../../governance/review/still-open.ts';
import { REASON_FIELD, readReason } from '../../views/admin/reason-field.ts';
import { ACCEPT_FORM, buildAcceptModal, LAST_DAY_FIELD, readLastDay } from '../../views/admin/review-action-accept.ts';
import { ACCEPT_TOPIC } from '../../views/admin/review-action-modal.ts';
import { REVIEW_ACCEPT_ACTION } from '../../views/admin/review-place.ts';
import type { AdminPorts } from './admin-ports.ts';
import { decideAndTell } from './review-action-decide.ts';
import { type Reviewed, type ReviewedFinding, readDecidable } from './review-action-finding.ts';
import { type Pressed, registerReviewAction } from './review-action-open.ts';
import { type Checked, type FormValues, registerReviewForm } from './review-action-submit.ts';

const NOTHING_OPEN = 'There is no drift here any more that could be accepted. Look at the review again.';

/** More than these fit into no modal, and nobody reads them. */
const MAX_DIFFERENCES = 200;

const TOO_MANY =
  'There are too many differences to accept them at once. Correct some of them, or state them in the register.';

/** *Accept…* on a finding in drift: the values that were found may stay until a day. */
export function registerReviewAccept(app: App, ports: AdminPorts): void {
  const action = { actionId: REVIEW_ACCEPT_ACTION, topic: ACCEPT_TOPIC };
  registerReviewAction(app, action, ports, (pressed) => open(pressed, ports));
  const form = { callbackId: ACCEPT_FORM, topic: ACCEPT_TOPIC, working: 'Recording the exception…' };
  registerReviewForm(app, { ...form, check: (values, now) => check(values, now, ports) }, ports);
}

async function open({ place, modal, replyTo }: Pressed, ports: AdminPorts): Promise<void> {
  const found = await readDecidable(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const finding = toCurrent(found, ports.now());
  if (finding.status !== 'drift') return modal.showProblem(NOTHING_OPEN);
  if (finding.differences.length > MAX_DIFFERENCES) return modal.showProblem(TOO_MANY);
  const state = { id: randomUUID(), place, replyTo };
  await modal.show(buildAcceptModal(finding, { environmentName: found.environmentName, now: ports.now(), state }));
}

function check(values: FormValues, now: number, ports: AdminPorts): Checked {
  const expiresOn = readLastDay(values);
  const problem = findLastDayProblem(expiresOn, now);
  const parsed = parseReason(readReason(values));
  if (problem !== undefined || !parsed.ok) {
    return {
      errors: {
        ...(problem === undefined ? {} : { [LAST_DAY_FIELD]: problem }),
        ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
      },
    };
  }
  return {
    run: (submitted) =>
      decideAndTell(submitted, { topic: ACCEPT_TOPIC, reason: parsed.reason }, ports, (found, request) =>
        acceptDrift(toCurrent(found, request.at), { ...request, expiresOn }),
      ),
  };
}

/** Others may have accepted some of it since. */
function toCurrent({ finding, approved }: Reviewed & ReviewedFinding, now: number) {
  return withExceptionsOfNow(finding, toStandards(approved.register), now);
}
