import { randomUUID } from 'node:crypto';
import { lookAgain } from '../../slack/listeners/admin/review-action/look-again.ts';
import { onReviewButton, type Pressed } from '../../slack/listeners/admin/review-action/open.ts';
import type { LookPorts } from '../../slack/listeners/admin/review-action/sources.ts';
import { REASON_FIELD, readReason } from '../../slack/views/admin/reason-field.ts';
import { REVIEW_ACCEPT_ACTION } from '../../slack/views/admin/review/place.ts';
import {
  ACCEPT_FORM,
  buildAcceptModal,
  LAST_DAY_FIELD,
  readLastDay,
} from '../../slack/views/admin/review-action/accept.ts';
import { describeGone } from '../../slack/views/admin/review-action/gone.ts';
import { parseReason } from '../audit/reason.ts';
import { ACCEPT_TOPIC } from '../review/decided-views.ts';
import { acceptDrift, approvesMore, type DecisionRequest } from '../review/decisions.ts';
import { findInVain } from '../review/in-vain.ts';
import { findLastDayProblem } from '../review/last-day.ts';
import type { StillThere } from '../review/recheck.ts';
import { readDecidable } from '../review/reviewed-finding.ts';
import { DECIDED_MEANWHILE } from '../review/still-open.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type DecidePorts, decideAndTell } from './decide-action.ts';
import { type Checked, type FormPorts, type FormValues, registerReviewForm, type Submitted } from './review-action.ts';

const NOTHING_OPEN = 'There is no drift here any more that could be accepted. Look at the review again.';

/** More than these fit into no modal, and nobody reads them. */
const MAX_DIFFERENCES = 200;

const TOO_MANY =
  'There are too many differences to accept them at once. Correct some of them, or state them in the register.';

export type AcceptPorts = DecidePorts & FormPorts & LookPorts & TimeZones;

/** *Accept…* on a finding in drift: the values that were found may stay until a day. */
export function registerReviewAccept(shell: AdminShell, ports: AcceptPorts): void {
  const button = { actionId: REVIEW_ACCEPT_ACTION, topic: ACCEPT_TOPIC };
  onReviewButton(shell, button, (pressed) => open(pressed, ports));
  const form = { callbackId: ACCEPT_FORM, topic: ACCEPT_TOPIC, working: 'Recording the exception…' };
  registerReviewForm(shell, { ...form, check: (values, now) => check(values, now, ports) }, ports);
}

async function open({ caller, place, modal, session, replyTo }: Pressed, ports: AcceptPorts): Promise<void> {
  const found = await readDecidable(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const [looked, timeZone] = await Promise.all([lookAgain(found, session, ports), ports.timeZone(caller)]);
  if ('problem' in looked) return modal.showProblem(looked.problem);
  const still = looked(found.approved);
  if (still.kind !== 'open') return modal.showProblem(describeGone(still, NOTHING_OPEN));
  const { finding, moved } = still;
  if (finding.differences.length + moved.length > MAX_DIFFERENCES) return modal.showProblem(TOO_MANY);
  const state = { id: randomUUID(), place, replyTo };
  const needsApprover = ports.needsApproval && approvesMore('exception', finding);
  const { environmentName, head } = found;
  const times = { foundAt: head.at, now: ports.now(), timeZone };
  await modal.show(buildAcceptModal(finding, { environmentName, moved, ...times, state, needsApprover }));
}

function check(values: FormValues, now: number, ports: AcceptPorts): Checked {
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
  return { run: (submitted) => accept(submitted, { expiresOn, reason: parsed.reason }, ports) };
}

/** Looks again: hours may have passed since the form was opened. */
async function accept(
  submitted: Submitted,
  { expiresOn, reason }: { expiresOn: string; reason: string },
  ports: AcceptPorts,
): Promise<void> {
  const { openSession, state, modal } = submitted;
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const looked = await lookAgain(found, await openSession(), ports);
  if ('problem' in looked) return modal.showProblem(looked.problem);
  const form = {
    topic: ACCEPT_TOPIC,
    reason,
    decide({ approved }: typeof found, request: DecisionRequest) {
      // Others may have accepted some of it while this waited for its turn.
      const still = looked(approved);
      if (still.kind !== 'open') return { problem: describeGone(still, DECIDED_MEANWHILE) };
      const decided = acceptDrift(still.finding, { ...request, expiresOn });
      const inVain = 'record' in decided ? findInVain(decided.record, approved) : undefined;
      return inVain === undefined ? decided : { problem: inVain };
    },
    approvesMore: ({ approved }: typeof found) => isMore(looked(approved)),
  };
  await decideAndTell(submitted, form, ports);
}

function isMore(still: StillThere): boolean {
  return still.kind === 'open' && approvesMore('exception', still.finding);
}
