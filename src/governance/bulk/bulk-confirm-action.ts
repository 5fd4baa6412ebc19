// The preview of a bulk change, whatever it is made from, and its confirmation: it begins, or a second admin is asked.
import { randomUUID } from 'node:crypto';
import { buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import { BULK_TOPIC } from '../confirmation/approval-views.ts';
import { toPending } from '../confirmation/pending-change.ts';
import {
  type ApproverPorts,
  type AskingPorts,
  askAndTell,
  findApproverProblem,
} from '../confirmation/slack-approval-request.ts';
import { renderCsv, toFileName } from '../exports/sheet.ts';
import type { Admin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { APPROVER_FIELD, REASON_FIELD, readApprover, readReason } from '../shell/form-fields.ts';
import { type Modal, orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import { type BulkItem, needsApproval } from './bulk-item.ts';
import {
  BULK_CONFIRM_FORM,
  buildBulkBegun,
  buildBulkNotice,
  buildBulkPreview,
  buildNothingInBulk,
  type PreviewWords,
  parsePreviewState,
} from './bulk-preview-views.ts';
import { type BulkChange, type BulkRecordPorts, createBulkRecords } from './bulk-records.ts';
import { buildBulkSheet } from './bulk-sheet.ts';
import { toPlannedBulk } from './slack-bulk-approval.ts';
import type { BulkPlan } from './slack-plan-items.ts';

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type PreviewPorts = BulkRecordPorts & { needsApproval: boolean };

export type BulkConfirmPorts = ApproverPorts &
  AskingPorts &
  FailurePorts &
  PreviewPorts & {
    allowance: Allowance;
    /** Has what was confirmed carried out. */
    wakeBulk(): void;
  };

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Begin again.';

const REPEATED =
  'This was confirmed before, and is carried out once. Follow it in our direct messages; the report comes there, too.';

/** `nothing`: where nothing can be made. */
type Words = PreviewWords & { nothing: string };

/** Keeps what was planned, and shows it. */
export async function showPreview(
  plan: BulkPlan,
  { nothing, ...words }: Words,
  { caller, modal, replyTo }: { caller: Caller; modal: Modal; replyTo: string | undefined },
  ports: PreviewPorts,
): Promise<void> {
  const { items, leftOut } = plan;
  if (items.length === 0) return modal.show(buildNothingInBulk(nothing, leftOut));
  const changes = items.map(({ change }) => change);
  const id = await keepBulk({ by: caller, items: changes, leftOut }, ports);
  const loosening = changes.filter((change) => needsApproval(change, ports)).length;
  await modal.show(buildBulkPreview({ ...words, plan, state: { id, replyTo }, loosening }));
}

/** Until it is confirmed, under the id that it returns. Throws StoreUnavailableError. */
export async function keepBulk(
  { items, ...planned }: Pick<BulkChange, 'by' | 'leftOut' | 'shown'> & { items: readonly BulkItem[] },
  ports: BulkRecordPorts,
): Promise<string> {
  // Short enough for a search in the audit log.
  const id = randomUUID().replaceAll('-', '').slice(0, 12);
  const bulk = { schema: 1 as const, id, ...planned, plannedAt: ports.now(), total: items.length };
  await createBulkRecords(ports).plan(bulk, items);
  return id;
}

/** The confirmation of a bulk change whose preview is this form. */
export function registerBulkConfirm(
  shell: AdminShell,
  ports: BulkConfirmPorts,
  { callbackId, topic }: PreviewForm = { callbackId: BULK_CONFIRM_FORM, topic: BULK_TOPIC },
): void {
  shell.onSubmission({ callbackId, topic, isFresh: true }, (submission) => submit(submission, topic, ports));
}

type PreviewForm = { callbackId: string; topic: ModalTopic };

async function submit(
  { view, toPlace, caller, openSession }: Submission,
  topic: ModalTopic,
  ports: BulkConfirmPorts,
): Promise<Answer> {
  const state = parsePreviewState(view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, topic) };
  const { values } = view.state;
  const parsed = parseReason(readReason(values));
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
  const picked = readApprover(values);
  const approver = picked === 'not_asked' ? undefined : picked;
  const problem = approver === undefined ? undefined : await findApproverProblem(approver, caller, ports);
  if (problem !== undefined) return { answer: { response_action: 'errors', errors: { [APPROVER_FIELD]: problem } } };
  return {
    answer: { response_action: 'update', view: buildBulkNotice([buildSection('Recording your decision…')], topic) },
    afterwards() {
      const place = toPlace(state.replyTo);
      const decision = { id: state.id, reason: parsed.reason, approver, topic };
      const work = () => decide(decision, { caller, openSession, ...place }, ports);
      return orTellFailure(work, place, (error) => toFailureMessage(error, ports));
    },
  };
}

/** `approver`: who was chosen to approve it; undefined: nobody. */
type Decision = {
  id: string;
  reason: string;
  approver: string | undefined;
  topic: ModalTopic;
};

async function decide(decision: Decision, admin: Admin & Place, ports: BulkConfirmPorts): Promise<void> {
  const { id, approver, topic } = decision;
  const { caller, modal } = admin;
  const records = createBulkRecords(ports);
  const planned = await records.get(id);
  if (planned === undefined || !isOf(planned, caller)) return modal.showProblem(OUT_OF_DATE);
  const bulk = await records.choose(id, approver);
  if (typeof bulk === 'string') return showRefusal(bulk, modal, topic);
  // All of it is one decision.
  await ports.allowance.spend('change', caller);
  const items = approver === undefined ? [] : await records.readItems(bulk);
  const loosening = items.filter((item) => needsApproval(item, ports));
  if (approver === undefined || loosening.length === 0) return begin(bulk, decision, admin, ports);
  const request = { id, by: caller, approver, reason: decision.reason, planned: toPlannedBulk(bulk, items, loosening) };
  const sheet = buildBulkSheet({ bulk, items, ends: [] }, ports.now());
  const file = { name: toFileName(sheet), content: renderCsv(sheet) };
  await askAndTell({ ...admin, asked: toPending(request, ports.now()), file }, ports);
}

async function begin(
  bulk: BulkChange,
  { id, reason, topic }: Decision,
  { caller, modal }: Admin & Place,
  ports: BulkConfirmPorts,
): Promise<void> {
  const outcome = await createBulkRecords(ports).confirm(id, reason);
  if (typeof outcome === 'string') return showRefusal(outcome, modal, topic);
  ports.wakeBulk();
  const { team, user } = caller;
  ports.log.info({ team, user, bulk: id, total: bulk.total }, 'bulk change confirmed');
  await modal.show(buildBulkBegun(topic, bulk.total, outcome.ahead));
}

function showRefusal(refusal: 'unknown' | 'repeated', modal: Modal, topic: ModalTopic): Promise<void> {
  return refusal === 'unknown'
    ? modal.showProblem(OUT_OF_DATE)
    : modal.show(buildBulkNotice([buildSection(REPEATED)], topic));
}

/** Whether it is this admin's. */
export function isOf({ by }: Pick<BulkChange, 'by'>, { team, user }: Caller): boolean {
  return by.team === team && by.user === user;
}
