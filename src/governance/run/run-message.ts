// Messages about how a run ended: one line for each change if there are few, counts and problems if there are many.
import type { ActionsBlock, ModalView } from '@slack/types';
import { formatDay } from '../../policy/policy.ts';
import {
  buildButton,
  buildNote,
  buildSection,
  type Content,
  fitBlocks,
  toContent,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { describeValue } from '../operations/operations.ts';
import { type Item, isStopItem } from '../plan/plan.ts';
import { buildActions, buildLines, cutLines, noteMore } from '../shell/blocks.ts';
import { buildEndModal } from '../shell/modal.ts';
import { formatCredits } from '../shell/numbers.ts';
import type { RunProgress } from './carry-out-run.ts';
import {
  describeEdit,
  describeFound,
  describeItemDone,
  describeItemSubject,
  listPolicyEdits,
  type NameTarget,
  readUntil,
} from './item-words.ts';
import type { EndedRun, ItemResult, ResultKind, Run } from './run-store.ts';

/** The values are ids of runs. Written into messages: never rename. */
export const UNDO_ACTION = 'run_undo';
export const STOP_REST_ACTION = 'run_stop_rest';
export const RUN_EXPORT = 'run_results_export_csv';

/** Up to this many changes get a line each. */
const FEW = 5;

/** An import may have thousands. */
const MAX_EDITS = 20;

const SIGNS: Record<ResultKind, string> = {
  verified: '✓',
  sent_not_shown: ':warning:',
  conflict: ':x:',
  failed: ':x:',
  left: ':x:',
};

export function buildOutcome(ended: EndedRun, name: NameTarget): Content {
  const { run, content, results, why } = ended;
  const lines = run.items <= FEW ? listSingles(ended, name) : listCounts(ended, name);
  const edits = listPolicyEdits(content.plan);
  const done = edits.slice(0, MAX_EDITS).map((edit) => `✓ ${describeEdit(edit, name)}.`);
  const more = noteMore(edits.length - done.length, ': see `/assistant-admin log`');
  const left = [...results.values()].filter(({ kind }) => kind === 'left').length;
  const end = why === 'done' ? [] : [describeEnd(why, left)];
  const all = [...lines, ...done, ...more, ...end];
  const [headline = '✓ There was nothing to change.'] = all;
  const text = all.length <= 1 ? `${headline} ${describePolicy(ended)}` : headline;
  const details = all.length <= 1 ? [] : [...all.slice(1), describePolicy(ended)];
  const buttons = listButtons(ended);
  return toContent(fitBlocks<Content['blocks'][number]>([...buildLines([text]), ...buildLines(details), ...buttons]));
}

/** *Policy 42*, and its last day. */
function describePolicy({ run, content }: EndedRun): string {
  const until = readUntil(content.plan.edits);
  return until === undefined ? `Policy ${run.policy}.` : `Policy ${run.policy}, until ${formatDay(until)}.`;
}

function listSingles({ content, results }: EndedRun, name: NameTarget): string[] {
  return content.plan.items.map((item, index) => {
    const result = results.get(index);
    const subject = describeItemSubject(item, name);
    if (result?.kind === 'verified' && isGood(result)) {
      return `✓ ${subject}: ${describeItemDone(item)}. ${describeVerified(result)}`;
    }
    if (result?.kind === 'sent_not_shown' && result.reason === undefined) {
      return `✓ ${subject}: ${describeItemDone(item)}. Sent; the service shows no limits.`;
    }
    return describeProblem(item, result, name);
  });
}

function describeVerified({ reason, after }: ItemResult): string {
  if (reason === 'was_so') return 'It had these values already.';
  return after === undefined ? 'Read back.' : `Read back. Its limit is kept: ${describeValue('limit', after.limit)}.`;
}

/** Also says what was wanted: whoever reads it may have to set that once more. */
function describeProblem(item: Item, result: ItemResult | undefined, name: NameTarget): string {
  const { kind } = result ?? { kind: 'left' as const };
  const reason = result === undefined ? '' : describeReason(result);
  const sign = kind === 'verified' ? SIGNS.sent_not_shown : SIGNS[kind];
  const ended = `${sign} ${describeItemSubject(item, name)}: ${RESULT_WORDS[kind]}${reason === '' ? '' : `: ${reason}`}.`;
  const wanted = describeItemDone(item);
  return wanted === '' ? ended : `${ended} Wanted: ${wanted}.`;
}

/** Further problems are in the CSV only. */
const MAX_PROBLEMS = 20;

function listCounts({ run, content, results }: EndedRun, name: NameTarget): string[] {
  const kinds = (Object.keys(RESULT_WORDS) as ResultKind[]).flatMap((kind) => {
    const count = [...results.values()].filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${formatCredits(count)} ${RESULT_WORDS[kind]}`];
  });
  const isClean = [...results.values()].every(isGood);
  const noun = content.plan.items.every(isStopItem) ? 'stops' : 'changes';
  const headline = `${isClean ? '✓' : ':warning:'} *${formatCredits(run.items)} ${noun}*: ${kinds.join(', ')}.`;
  const problems = content.plan.items.flatMap((item, index) => {
    const result = results.get(index);
    return result === undefined || result.kind === 'left' || isGood(result)
      ? []
      : [describeProblem(item, result, name)];
  });
  return [headline, ...cutLines(problems, MAX_PROBLEMS, ': see the CSV')];
}

const LIMIT_GONE = ['limit_lost', 'limit_unknown'];

function isGood({ kind, reason }: ItemResult): boolean {
  return (
    (kind === 'verified' && !LIMIT_GONE.includes(reason ?? '')) || (kind === 'sent_not_shown' && reason === undefined)
  );
}

function listButtons({ run, content }: EndedRun): ActionsBlock[] {
  const undo = content.plan.edits.length > 0 ? [buildButton(UNDO_ACTION, 'Undo', run.id)] : [];
  const csv = run.items > FEW ? [buildButton(RUN_EXPORT, 'CSV', run.id)] : [];
  return buildActions([...undo, ...csv]);
}

/** Replaces the plan in the window for a run that is too long to watch. */
export function buildInBackground({ items }: Pick<Run, 'items'>): ModalView {
  const text = `${formatCredits(items)} changes are carried out in the background. Follow them in our direct messages, where you also see how they end.`;
  return buildEndModal('run_background', 'In the background', [buildSection(text)]);
}

/** While it goes on in the background. */
export function buildProgress({ run, done, total }: RunProgress): Content {
  const count = done === 0 ? formatCredits(total) : `${formatCredits(done)} of ${formatCredits(total)}`;
  const text = `:hourglass_flowing_sand: Carrying out ${count} changes. “${toMrkdwnName(run.why.reason, 100)}”`;
  const button = buildButton(STOP_REST_ACTION, 'Stop the rest', run.id);
  return toContent([buildSection(text), ...buildActions([button])]);
}

/** Replaces the progress. The outcome is a message of its own, because an edited message notifies nobody. */
export function buildFinished({ run, results }: Pick<EndedRun, 'run' | 'results'>): Content {
  const tried = [...results.values()].filter(({ kind }) => kind !== 'left').length;
  const text = `Carried out ${formatCredits(tried)} of ${formatCredits(run.items)} changes. How they ended is below.`;
  return toContent([buildSection(text)]);
}

/** Adds who asked for the change and who approved it. */
export function withPeople(content: Content, { by, approver }: Pick<Run, 'by' | 'approver'>): Content {
  if (approver === undefined) return content;
  return toContent([...content.blocks, buildNote(`Asked for by <@${by.user}>, approved by <@${approver.user}>.`)]);
}

/** In the order in which they are listed. */
export const RESULT_WORDS: Record<ResultKind, string> = {
  verified: 'read back',
  sent_not_shown: 'sent, not shown by the service',
  conflict: 'changed by somebody else',
  failed: 'failed',
  left: 'not tried',
};

/** The reason, without a full stop; '' if there is none. Mrkdwn. */
export function describeReason({ reason = '', said, found }: ItemResult): string {
  const why = REASONS[reason] ?? reason.replaceAll('_', ' ');
  const instead = found === undefined ? '' : `found: ${describeFound(found)}`;
  const words = said === undefined ? '' : `the service says: ${toMrkdwnLine(said, 200)}`;
  return [why, instead, words].filter((part) => part !== '').join('; ');
}

/** By code: the reasons of results, the errors of admin-errors.ts, and the reasons why runs end. */
const REASONS: Record<string, string> = {
  was_so: 'it had these values already',
  limit_kept: 'its limit was not known before, and is kept',
  limit_lost: 'its limit could not be sent with it: set it with `limit`',
  limit_unknown: 'its limit could not be read, and may be gone: look at it before it runs again',
  read_back_failed: 'it could not be read back',
  still_old: 'the service still shows the old values',
  no_answer: 'the service failed or did not answer, so it may or may not be set',
  interrupted: 'this app was interrupted, so it may or may not be set',
  before_write: 'it was changed meanwhile, so nothing was sent',
  unseen_before_write:
    'it could not be read again to see whether it was changed, so nothing was sent: set it once more',
  after_write: 'it was changed right afterwards',
  sent_since: 'another change was sent from here meanwhile, so nothing was sent',
  busy: 'it is being changed by somebody else',
  stopped: 'the rest was stopped',
  admin_unauthorized: 'the service did not accept the sign-in',
  admin_forbidden: 'the service does not allow it for that account',
  admin_not_found: 'the service does not know it any more',
  admin_not_offered: 'the service does not offer this',
  admin_locked_by_policy: "a policy of the environment's group decides the rule",
  admin_rejected: 'the service refused it',
  admin_throttled: 'the service has too much to do',
  admin_unreachable: 'the service does not answer',
  admin_failed: 'the service reported an internal error',
  admin_unreadable: 'the service answered in a way this app cannot read',
  not_admin: 'whoever confirmed or approved this is not an administrator of this app any more',
  not_admin_of_all: 'whoever confirmed or approved this may not administer all of it any more',
  auditor: 'whoever confirmed or approved this may only read now',
  account_not_linked: 'whoever confirmed or approved this is not signed in for administration any more',
  no_access: 'for an hour, this app could not check whether this may still be done',
  no_admin_interface: 'the administrative interface is not configured any more',
  fault: 'something went wrong in this app',
};

/** Why a run ended before all of its items were tried: a sentence. */
function describeEnd(why: string, left: number): string {
  const reason = REASONS[why] ?? why.replaceAll('_', ' ');
  return `:warning: Ended early: ${reason}. ${left} not tried: the policy has them, and the next review shows them.`;
}
