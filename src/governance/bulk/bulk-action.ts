// *Correct all at once…* under the report of a review: from the kinds of findings over a preview to one confirmation; and the
// buttons of the messages that tell how it goes.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSection } from '../../slack/views/content.ts';
import { parseReason } from '../audit/reason.ts';
import { describeOccasion } from '../review/decided-views.ts';
import { toCorrectionSources } from '../review/find-correction.ts';
import type { RecheckPorts } from '../review/recheck.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, readReady } from '../review/reviewed-finding.ts';
import {
  type Pressed,
  type ReviewActionPorts,
  registerReviewAction,
  type Submitted,
} from '../review-actions/review-action.ts';
import { buildReviewNotice, buildReviewWorking, parseReviewForm } from '../review-actions/review-action-views.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { buildAdminText, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { REASON_FIELD, readReason } from '../shell/form-fields.ts';
import { orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import type { SayPorts, TimeZones } from '../shell/respond.ts';
import { BULK_PAGE_ACTIONS, BULK_STOP_ACTION, buildBulkReport, parseBulkPage } from './bulk-messages.ts';
import { type BulkRecordPorts, createBulkRecords } from './bulk-records.ts';
import {
  BULK_CONFIRM_FORM,
  type BulkChoice,
  buildBulkBegun,
  buildBulkForm,
  buildBulkPreview,
  buildNothingInBulk,
  KINDS_FIELD,
  readBulkForm,
} from './bulk-views.ts';
import { createPacedSession } from './paced-session.ts';
import { planBulk } from './slack-bulk-plan.ts';

export type BulkPorts = BulkRecordPorts &
  FailurePorts &
  FindingPorts &
  RecheckPorts &
  ReviewActionPorts &
  SayPorts &
  TimeZones & {
    allowance: Allowance;
    /** REQUIRE_SECOND_APPROVER. */
    needsApproval: boolean;
    /** Has what was confirmed carried out. */
    wakeBulk(): void;
  };

const TOPIC = REVIEW_TOPICS.correct_all;

const NONE_CHOSEN = 'Tick one of them at least.';

const EXPIRED = 'This report is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Press the button of the report again.';

const REPEATED =
  'This was confirmed before, and is carried out once. Follow it in our direct messages; the report comes there, too.';

const GONE = 'This is older than a week, and is not kept any more. `/assistant-admin audit` lists what was changed.';

const NOT_TURNED = 'Slack did not let me turn the page. Try again in a minute.';

const HAS_ENDED = 'This bulk change has ended: there is nothing to stop. Its report is in our direct messages.';

export function registerBulk(shell: AdminShell, ports: BulkPorts): void {
  registerReviewAction<BulkChoice>(
    shell,
    {
      topic: TOPIC,
      working: 'Looking at what is there now, for each finding. That may take a minute…',
      open: (pressed) => open(pressed, ports),
      read(values) {
        const choice = readBulkForm(values);
        return choice.kinds.length === 0 ? { errors: { [KINDS_FIELD]: NONE_CHOSEN } } : { answer: choice };
      },
      submit: (submitted, choice) => preview(submitted, choice, ports),
    },
    ports,
  );
  registerConfirm(shell, ports);
  shell.onClick(BULK_STOP_ACTION, (clicked) => stop(clicked, ports), { isFresh: true });
  for (const actionId of BULK_PAGE_ACTIONS) shell.onClick(actionId, (clicked) => turnPage(clicked, ports));
}

async function open({ modal, state }: Pressed, { reports }: BulkPorts): Promise<void> {
  const found = await reports.readCandidates(state.place.report);
  if (found?.head.candidates === undefined) return modal.showProblem(EXPIRED);
  await modal.show(buildBulkForm(found.head.candidates, state));
}

async function preview(
  { caller, openSession, modal, state }: Submitted,
  { kinds, stopDecision }: BulkChoice,
  ports: BulkPorts,
): Promise<void> {
  const [found, approved] = await Promise.all([ports.reports.readCandidates(state.place.report), readReady(ports)]);
  if (found === undefined) return modal.showProblem(EXPIRED);
  if ('problem' in approved) return modal.showProblem(approved.problem);
  const wait = async (ms: number) => void (await sleep(ms));
  const { session } = createPacedSession(await openSession(), { now: ports.now, wait });
  const sources = toCorrectionSources(session, approved, ports);
  const candidates = found.candidates.filter(({ kind }) => kinds.includes(kind));
  const { needsApproval } = ports;
  const plan = await planBulk({ candidates, stopDecision }, { sources, needsApproval });
  const { items, leftOut } = plan;
  if (items.length === 0) return modal.show(buildNothingInBulk(leftOut));
  // Short enough for a search in the audit log.
  const id = randomUUID().replaceAll('-', '').slice(0, 12);
  const bulk = { schema: 1 as const, id, by: caller, plannedAt: ports.now(), total: items.length, leftOut };
  await createBulkRecords(ports).plan(
    bulk,
    items.map(({ change }) => change),
  );
  const reason = describeOccasion(found.head.at, await ports.timeZone(caller));
  const isRegisterChanged = found.head.registerHash !== approved.registerHash;
  await modal.show(buildBulkPreview({ plan, state: { ...state, id }, reason, isRegisterChanged }));
}

function registerConfirm(shell: AdminShell, ports: BulkPorts): void {
  shell.onSubmission(
    { callbackId: BULK_CONFIRM_FORM, topic: TOPIC, isFresh: true },
    async ({ view, toPlace, caller }) => {
      const state = parseReviewForm(view.private_metadata);
      if (!state) return { answer: toProblem(OUT_OF_DATE, TOPIC) };
      const parsed = parseReason(readReason(view.state.values));
      if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
      return {
        answer: { response_action: 'update', view: buildReviewWorking('Recording your decision…', TOPIC) },
        afterwards() {
          const place = toPlace(state.replyTo);
          const work = () => confirm({ id: state.id, reason: parsed.reason, caller, modal: place.modal }, ports);
          return orTellFailure(work, place, (error) => toFailureMessage(error, ports));
        },
      };
    },
  );
}

type Confirmed = { id: string; reason: string; caller: Caller; modal: Place['modal'] };

async function confirm({ id, reason, caller, modal }: Confirmed, ports: BulkPorts): Promise<void> {
  const records = createBulkRecords(ports);
  const bulk = await records.get(id);
  if (bulk === undefined || !isOf(bulk.by, caller)) return modal.showProblem(OUT_OF_DATE);
  const repeated = () => modal.show(buildReviewNotice([buildSection(REPEATED)], TOPIC));
  if (bulk.confirmed !== undefined) return repeated();
  // All of it is one decision.
  await ports.allowance.spend('change', caller);
  const outcome = await records.confirm(id, reason);
  if (outcome === 'unknown') return modal.showProblem(OUT_OF_DATE);
  if (outcome === 'repeated') return repeated();
  ports.wakeBulk();
  const { team, user } = caller;
  ports.log.info({ team, user, bulk: id, total: bulk.total }, 'bulk change confirmed');
  await modal.show(buildBulkBegun(bulk.total, outcome.ahead));
}

function isOf(by: Caller, { team, user }: Caller): boolean {
  return by.team === team && by.user === user;
}

async function stop({ value, caller, say }: Clicked, ports: BulkPorts): Promise<void> {
  const records = createBulkRecords(ports);
  const bulk = await records.get(value);
  if (bulk === undefined || bulk.ended !== undefined || !isOf(bulk.by, caller)) {
    return void (await say(buildAdminText(HAS_ENDED)));
  }
  await records.stop(bulk.id, caller.user);
}

async function turnPage({ value, body, caller, say }: Clicked, ports: BulkPorts): Promise<void> {
  const records = createBulkRecords(ports);
  const wanted = parseBulkPage(value);
  const bulk = wanted && (await records.get(wanted.bulk));
  if (wanted === undefined || bulk === undefined || !isOf(bulk.by, caller))
    return void (await say(buildAdminText(GONE)));
  const [items, ends = []] = await Promise.all([records.readItems(bulk), records.readEnds(bulk.id)]);
  const content = buildBulkReport({ bulk, items, ends }, wanted.page);
  if (!(await ports.clicks.replace(body, content))) await say(buildAdminText(NOT_TURNED));
}
