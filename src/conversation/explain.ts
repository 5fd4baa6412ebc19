import { BridgeError, codeOf, PermanentError, TransientError } from '../errors.ts';
import { stopWorking } from './end-work.ts';
import { removeWaitLine, showWaiting } from './finish-reply.ts';
import { noticeFor } from './outcome.ts';
import { FenceLostError, type Run } from './run.ts';
import type { Turn } from './turn.ts';

/** After a day nobody expects an answer to a question that waited for a sign-in. */
const PARKED_MS = 24 * 3_600_000;

/** Shorter waits are not announced. */
const SILENT_WAIT_MS = 5_000;

/** The waits to announce. Not those caused by Slack's posting limits: one more message would make them longer. */
const SAID_WAITS = new Set([
  'assistant_throttled',
  'assistant_unreachable',
  'conversation_busy',
  'identity_provider_unavailable',
  'slack_reading_limited',
  'token_key_unknown',
]);

/** Turns the error that a question ran into into a wait, a request to sign in or a notice to the person. */
export async function explain(run: Run, error: unknown): Promise<void> {
  if (error instanceof FenceLostError) throw error;
  const code = codeOf(error);
  if (code === 'account_not_linked') return park(run).catch((failure: unknown) => explain(run, failure));
  const isBusyAgain = code === 'conversation_busy' && run.turn.waitingFor === code;
  if (error instanceof TransientError && !isBusyAgain) {
    // The wait may be long: do not show a working status meanwhile.
    await stopWorking(run);
    if (error.retryAfterMs) run.ports.tell({ kind: 'waits', code, ms: error.retryAfterMs });
    await run.waitFor(error);
    if (run.turn.stage !== 'waiting') giveUpWaiting(run, error);
    else if (isWorthSaying(run.turn)) await showWaiting(run);
    return;
  }
  // The stop is stored already, and the next run of the lane handles it.
  if (code === 'assistant_stopped') throw new FenceLostError(run.turn.id);
  if (!(error instanceof BridgeError)) throw error;
  logUnanswered(run, error);
  const notice = noticeFor(error);
  // Shown in the list of dead letters.
  if (notice.code === 'failed') run.note({ lastError: code });
  run.decide(run.turn.isPrivate ? { ...notice, detail: undefined } : notice);
}

function isWorthSaying({ waitedMs = 0, waitingFor = '' }: Turn): boolean {
  return SAID_WAITS.has(waitingFor) && waitedMs >= SILENT_WAIT_MS;
}

/** If an encryption key is still missing after ten minutes, it was removed: the person has to sign in again. */
function giveUpWaiting(run: Run, error: TransientError): void {
  logUnanswered(run, error);
  if (error.code === 'token_key_unknown') run.decide({ kind: 'notice', code: 'sign_in_lost' });
}

/** Do not log the error itself: it may contain text that the service wrote for the person. */
function logUnanswered({ turn, ports }: Run, error: BridgeError): void {
  const { code, message: reason, trace } = error;
  ports.log.warn({ turn: turn.id, code, reason, ...(trace && { trace }) }, 'question not answered');
}

/**
 * Asks the person to sign in and keeps the question until they have. Prompts before parking: a crash in between causes
 * a second private prompt, instead of none. Questions from Slackbot do not wait for a sign-in.
 */
async function park(run: Run): Promise<void> {
  const { turns, reply } = run.ports;
  if (run.turn.question.origin === 'slackbot') return run.decide({ kind: 'notice', code: 'sign_in_needed' });
  // Do not park a scheduled question: its next time comes anyway.
  if (run.turn.question.scheduled) return run.decide({ kind: 'notice', code: 'schedule_held' });
  await removeWaitLine(run).catch(orLeave);
  const waiting = await turns.parked(run.turn.question.asker);
  const hasPrompted = waiting.some((turn) => turn.hasPrompted);
  await stopWorking(run);
  // Last, as in finish-reply.ts: a run that is repeated cannot see that it has prompted.
  run.note({ ...(await reply.promptSignIn(run.turn, hasPrompted)), waitedMs: undefined, waitingFor: undefined });
  await run.settle({ stage: 'parked', notBefore: run.turn.acceptedAt + PARKED_MS });
}

/** If Slack refuses to delete the line, prompt for the sign-in anyway. */
function orLeave(error: unknown): void {
  if (!(error instanceof PermanentError) || error instanceof FenceLostError) throw error;
}
