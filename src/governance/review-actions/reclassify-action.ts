// `/assistant-admin review classifications`: what was classified in Slack is listed, changed and withdrawn.
import { randomUUID } from 'node:crypto';
import { findApproverProblem } from '../confirmation/slack-approval-request.ts';
import { findAdditions } from '../register/merge-overlay.ts';
import type { ClassificationRecord } from '../register/overlay.ts';
import { toIdKey } from '../register/register.ts';
import { DECISION_UNCLEAR, DecisionUnclearError, decideOnce } from '../review/decide-once.ts';
import { buildDecided, buildDecidedBefore } from '../review/decided-views.ts';
import {
  type Decided,
  type DecisionRequest,
  findClassification,
  reclassifyEnvironment,
  withdrawClassification,
} from '../review/decisions.ts';
import type { EnvironmentFinding } from '../review/finding.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { readReady } from '../review/reviewed-finding.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminProblem, buildAdminText, toFailureMessage } from '../shell/failure-message.ts';
import { APPROVER_FIELD, readApprover } from '../shell/form-fields.ts';
import { type OwnOpened, orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import type { SayPorts, TimeZones } from '../shell/respond.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { listComplete, toStatedAllocations } from './classification-form.ts';
import { ask, type DecidePorts, toPlanned } from './decide-action.ts';
import {
  buildClassifiedList,
  buildReclassifyModal,
  type ClassifiedTurn,
  NEXT_CLASSIFIED,
  PREVIOUS_CLASSIFIED,
  parseClassifiedSubject,
  parseClassifiedTurn,
  parseReclassifyState,
  RECLASSIFY_FORM,
  type Reclassified,
  type ReclassifyState,
  readReclassify,
} from './reclassify-views.ts';
import { FORM_OUT_OF_DATE, type Submitted } from './review-action.ts';
import { buildReviewNotice, buildReviewWorking } from './review-action-views.ts';

export type ReclassifyPorts = DecidePorts & SayPorts & TimeZones;

const OUT_OF_DATE = 'This list is too old. Give the command again: `/assistant-admin review classifications`.';

const NOT_THERE =
  'This environment is not classified in Slack any more: somebody has withdrawn it, or the file of the register names it by now. Look at the list again: /assistant-admin review classifications.';

const MEANWHILE =
  'Somebody else has changed this classification meanwhile, so nothing was recorded. Look at the list again: /assistant-admin review classifications.';

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was recorded. Open it again.';

/** `/assistant-admin review classifications [name]` */
export async function sayClassified(
  turn: ClassifiedTurn,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: ReclassifyPorts,
): Promise<void> {
  const approved = await readReady(ports);
  if ('problem' in approved) return void (await say(buildAdminProblem(approved.problem)));
  const text = toSearchText(turn.query);
  const records = findAdditions(approved.own, approved.records).environments.map(({ record }) => record);
  const fitting = records.filter((record) => isFitting(record, text)).toReversed();
  await say(buildClassifiedList(fitting, { ...turn, query: text }, { timeZone: await ports.timeZone(caller) }));
}

function isFitting({ name = '', environmentId }: ClassificationRecord, text: string): boolean {
  return toIdKey(name).includes(toIdKey(text)) || toIdKey(environmentId) === toIdKey(text);
}

export function registerReclassify(shell: AdminShell, ports: ReclassifyPorts): void {
  const topic = REVIEW_TOPICS.reclassify;
  const turnPage = async ({ value, body, say, caller }: Clicked) => {
    const turn = parseClassifiedTurn(value);
    if (!turn) return void (await say(buildAdminText(OUT_OF_DATE)));
    await sayClassified(turn, { caller, say: (content) => ports.clicks.replace(body, content) }, ports);
  };
  for (const actionId of [PREVIOUS_CLASSIFIED, NEXT_CLASSIFIED]) shell.onClick(actionId, turnPage);
  const button = { actionId: topic.id, topic, parse: parseClassifiedSubject, outOfDate: OUT_OF_DATE };
  shell.onModalButton(button, ({ environmentId }, opened) => showForm(environmentId, opened, ports));
  shell.onSubmission({ callbackId: RECLASSIFY_FORM, topic, isFresh: true }, async ({ view, toPlace, ...admin }) => {
    const state = parseReclassifyState(view.private_metadata);
    if (!state) return { answer: toProblem(FORM_OUT_OF_DATE, topic) };
    const filled = readReclassify(view.state.values);
    if ('errors' in filled) return { answer: { response_action: 'errors', errors: filled.errors } };
    const needsApprover = ports.needsApproval && filled.answer.wish !== 'withdrawn';
    const picked = readApprover(view.state.values);
    if (needsApprover && picked === 'not_asked') return { answer: toProblem(NOT_ASKED, topic) };
    const approver = needsApprover && picked !== 'not_asked' ? picked : undefined;
    const problem = needsApprover ? await findApproverProblem(approver, admin.caller, ports) : undefined;
    if (problem !== undefined) return { answer: { response_action: 'errors', errors: { [APPROVER_FIELD]: problem } } };
    return {
      answer: { response_action: 'update', view: buildReviewWorking('Recording the change…', topic) },
      afterwards() {
        const submitted = { ...admin, state, approver, ...toPlace(state.replyTo) };
        const work = () => decideAndTell(submitted, filled.answer, ports);
        return orTellFailure(work, submitted, (error) => toFailureMessage(error, ports));
      },
    };
  });
}

async function showForm(
  environmentId: string,
  { modal, caller, replyTo }: OwnOpened,
  ports: ReclassifyPorts,
): Promise<void> {
  const approved = await readReady(ports);
  if ('problem' in approved) return modal.showProblem(approved.problem);
  const record = findClassification(approved, environmentId);
  if (record === undefined) return modal.showProblem(NOT_THERE);
  const view = buildReclassifyModal(record, {
    state: { id: randomUUID(), environmentId, shown: record.id, replyTo },
    currency: ports.currency,
    choices: listComplete(approved),
    timeZone: await ports.timeZone(caller),
    needsApprover: ports.needsApproval,
  });
  await modal.show(view);
}

type Deciding = Omit<Submitted, 'state'> & Place & { state: ReclassifyState };

/** Others may have decided since the form was opened. */
async function decideAndTell(submitted: Deciding, wanted: Reclassified, ports: ReclassifyPorts): Promise<void> {
  const { caller, state, modal, say, approver } = submitted;
  const { team, workspace, user } = caller;
  const topic = REVIEW_TOPICS.reclassify;
  const account = (await ports.adminAccount({ team, user }))?.account;
  const decide = async (): Promise<Decided<ClassificationRecord>> => {
    const approved = await readReady(ports);
    if ('problem' in approved) return approved;
    const current = findClassification(approved, state.environmentId);
    if (current?.id !== state.shown) return { problem: current === undefined ? NOT_THERE : MEANWHILE };
    const { registerHash, own } = approved;
    const by = { team, workspace, user };
    const request = { id: state.id, by, account, at: ports.now(), registerHash, reason: wanted.reason };
    return toRecord(current, { wanted, request, own, currency: ports.currency });
  };
  if (approver !== undefined) {
    const decided = await decide();
    if ('problem' in decided) return modal.showProblem(decided.problem);
    const approved = await readReady(ports);
    if ('problem' in approved) return modal.showProblem(approved.problem);
    const planned = toPlanned(decided.record, { finding: toFinding(decided.record), approved });
    return ask(planned, { ...submitted, approver, reason: wanted.reason }, ports);
  }
  const outcome = await decideOnce({ id: state.id, environmentId: state.environmentId }, decide, ports).catch(
    toUnclear,
  );
  ports.log.info({ team, user, decision: state.id, outcome: outcome.kind }, 'classification changed');
  if (outcome.kind === 'problem') return modal.showProblem(outcome.sentence);
  if (outcome.kind === 'duplicate') return modal.show(buildReviewNotice(buildDecidedBefore().blocks, topic));
  const [record] = [outcome.record].filter((one) => one.kind === 'classification');
  if (record === undefined) return;
  const content = buildDecided(record, toFinding(record), undefined);
  await say(content);
  await modal.show(buildReviewNotice(content.blocks, topic));
}

function toUnclear(error: unknown): { kind: 'problem'; sentence: string } {
  if (!(error instanceof DecisionUnclearError)) throw error;
  return { kind: 'problem', sentence: DECISION_UNCLEAR };
}

type Wanted = {
  wanted: Reclassified;
  request: DecisionRequest;
  own: Parameters<typeof reclassifyEnvironment>[1]['own'];
  currency: string;
};

function toRecord(
  current: ClassificationRecord,
  { wanted, request, own, currency }: Wanted,
): Decided<ClassificationRecord> {
  const { wish, unnamedAgents } = wanted;
  if (wish === 'withdrawn') return withdrawClassification(current, request);
  const allocations = toStatedAllocations(wanted, { currency, found: current.allocations });
  return reclassifyEnvironment(current, { ...request, own, classification: wish, allocations, unnamedAgents });
}

/** As a message about it names it: nothing was reviewed. */
function toFinding({ environmentId, name, owners, classification }: ClassificationRecord): EnvironmentFinding {
  return {
    ...{ kind: 'environment', key: toIdKey(environmentId), environmentId, name: name ?? environmentId, owners },
    ...{ ownerId: undefined, status: 'unclassified', differences: [], reason: undefined, expiresOn: undefined },
    ...{ classification, tenantPool: 'unknown' },
  };
}
