import { BridgeError, PermanentError, TransientError, UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import { type AskContext, type AskPorts, ask, codeOf } from './ask.ts';
import { endWork, stopWorking } from './end-work.ts';
import { type FileRules, fileUses } from './file-uses.ts';
import { finishReply, openThread, removeWaitLine, showWaiting } from './finish-reply.ts';
import { giveUp, isPoison, recordFailure } from './give-up.ts';
import { type NoticeCode, noticeFor, type Outcome, type SharedMessage } from './outcome.ts';
import type { Person, Question } from './question.ts';
import type { Reply } from './reply.ts';
import { removeStrays } from './reply-parts.ts';
import { resumeQuestion } from './resume-turn.ts';
import { FenceLostError, Run } from './run.ts';
import type { ThreadStore, TurnStore } from './stores.ts';
import type { Turn, TurnEvent } from './turn.ts';

export type RunPorts = Pick<AskPorts, 'assistant'> & {
  threads: Pick<ThreadStore, 'conversation'>;
  turns: TurnStore;
  reply: Reply;
  /** Undefined: this person may ask here. Else the notice that says why not. */
  admit(question: Question): Promise<NoticeCode | undefined>;
  /** Throws AccountNotLinkedError, on which the turn is parked until the person has signed in. */
  access(question: Question): Promise<Access>;
  renewToken(person: Person, rejected: string): Promise<string>;
  /** How long the circuit breaker still blocks this person's requests, in ms; 0: not at all. */
  assistantPausedMs(person: Person): number;
  /** The asker's direct message channel. */
  privateChannel(question: Question): Promise<string>;
  /** The asker's IANA time zone. Never fails. */
  timeZone(question: Question): Promise<string>;
  /** Links shared in the thread before this question. Never fails. */
  earlierLinks(question: Question): Promise<string[]>;
  /** The text of a question that is asked again: not stored, so read from Slack. */
  readQuestion(question: Question): Promise<Pick<Question, 'text' | 'links' | 'unusable'> | undefined>;
  /** The messages of a private answer that is to be shared; deleted ones are left out. */
  readShared(question: Question): Promise<SharedMessage[]>;
  fileRules: FileRules;
  /** Whether the lane is still this run's: a paused process may have lost it. */
  isHeld(): boolean;
  tell(event: TurnEvent): void;
  wake(lane: string): void;
  now(): number;
  log: Log;
};

/** `isPrivate`: the asker chose to get answers to questions in channels privately. */
type Access = { accessToken: string; isPrivate: boolean };

/** After a day nobody expects an answer to a question that waited for a sign-in. */
const PARKED_MS = 24 * 3_600_000;

/**
 * Runs one turn from the stage it had reached to its one reply. A stop or a later run ends it silently. Resolves with
 * whether the turn is done.
 */
export async function runTurn(turn: Turn, ports: RunPorts, signal: AbortSignal): Promise<boolean> {
  const run = new Run(turn, ports.turns, ports.now);
  try {
    const step = resumeQuestion(turn.stage, turn.notBefore, ports.now());
    if (turn.endsWork) {
      await endWork(run, ports);
    } else if (isPoison(turn)) {
      await giveUp(run, ports);
    } else {
      if (step === 'interrupt') run.decide({ kind: 'notice', code: 'interrupted' });
      if (step === 'run') await answerQuestion(run, ports, signal);
      if (['answered', 'stopped', 'cancelled'].includes(run.turn.stage)) await finishReply(run, ports);
    }
  } catch (error) {
    if (error instanceof FenceLostError) await giveWay(run, ports);
    else await recordFailure(run, error, ports);
  } finally {
    report(run.saved, ports);
  }
  return run.saved.stage === 'done';
}

/** A later run or a stop took over: removes what this run posted in vain. */
async function giveWay(run: Run, ports: RunPorts): Promise<void> {
  ports.tell({ kind: 'fence_lost' });
  // This run may have set the working status after the later one cleared it.
  await stopWorking(run, ports);
  await removeStrays(run, ports);
}

/** One info line per turn, at its end; debug lines for the runs before. */
function report(turn: Turn, ports: RunPorts): void {
  const { id, stage, result = '', fence, acceptedAt, waitingSince } = turn;
  const ms = ports.now() - acceptedAt;
  const line = { turn: id, stage, result, runs: fence, ms, hasWaited: waitingSince !== undefined };
  if (stage !== 'done' || turn.endsWork) return ports.log.debug(line, 'turn ran');
  ports.log.info(line, 'turn done');
  ports.tell({ kind: 'done', result, ms });
}

/** Afterwards the outcome is decided, or the turn waits, is parked, or has moved to another lane. */
async function answerQuestion(run: Run, ports: RunPorts, signal: AbortSignal): Promise<void> {
  try {
    const refusal = await ports.admit(run.turn.question);
    if (refusal) return run.decide({ kind: 'notice', code: refusal });
    if (run.turn.question.shares) return run.decide(await share(run, ports));
    if (decideWithoutAsking(run)) return;
    const { lane, question } = run.turn;
    const [access, held] = await Promise.all([
      ports.access(question),
      ports.threads.conversation(lane, question.asker.user),
    ]);
    await readAgain(run, ports);
    if (!question.threadTs) return await openThread(run, ports);
    run.decide(await askService(run, { ...access, held }, ports, signal));
  } catch (error) {
    if (codeOf(error) === 'account_not_linked') await park(run, ports);
    else await explain(run, error, ports);
  }
}

async function share(run: Run, ports: RunPorts): Promise<Outcome> {
  const messages = await ports.readShared(run.turn.question);
  return messages.length > 0 ? { kind: 'shared', messages } : { kind: 'notice', code: 'question_gone' };
}

/** Decides what needs neither the service nor a sign-in. True: decided. */
function decideWithoutAsking(run: Run): boolean {
  const { text, isAskedAgain } = run.turn.question;
  if (text.toLowerCase() === 'help') run.decide({ kind: 'notice', code: 'help' });
  else if (!text && !isAskedAgain) run.decide({ kind: 'notice', code: 'no_question' });
  else return false;
  return true;
}

/** The asker's token, and the conversation to ask in, if there is one. */
type Approach = Access & Pick<AskContext, 'held'>;

async function askService(run: Run, approach: Approach, ports: RunPorts, signal: AbortSignal): Promise<Outcome> {
  const { lane, question } = run.turn;
  const [timeZone, privateChannel, links] = await Promise.all([
    ports.timeZone(question),
    approach.isPrivate ? ports.privateChannel(question) : undefined,
    approach.held || question.startsThread ? question.links : allLinks(question, ports),
  ]);
  const pausedMs = ports.assistantPausedMs(question.asker);
  // Jitter, to avoid a thundering herd.
  const retryAfterMs = Math.ceil(pausedMs * (1 + Math.random() / 4));
  if (pausedMs > 0) throw new TransientError('assistant_unreachable', 'left in peace', { retryAfterMs });
  const files = fileUses(links, question.unusable, ports.fileRules);
  const context: AskContext = { ...approach, timeZone, files: files.used };
  const renewToken = (rejected: string) => ports.renewToken(question.asker, rejected);
  // Not awaited: it must not delay the question.
  if (ports.isHeld()) ports.reply.startWorking(run.turn);
  const { answer, conversation, contextLost } = await ask(run, context, { ...ports, renewToken }, signal);
  if (answer.disengaged) {
    // Saved together with the outcome: if only this write succeeded, the question would be asked again.
    run.noteThread({ kind: 'drop', thread: lane, conversation });
    const notice = { kind: 'notice', code: 'disengaged' } as const;
    return privateChannel === undefined ? { ...notice, detail: answer.text } : notice;
  }
  if (!answer.text) return { kind: 'notice', code: 'empty' };
  const { text, sources, partial, sensitivity, turnCount = conversation.turnCount } = answer;
  const hasPrivateAnswers = conversation.hasPrivateAnswers || privateChannel !== undefined;
  run.noteThread({ kind: 'update', thread: lane, conversation: { ...conversation, turnCount, hasPrivateAnswers } });
  const { webSearch } = question;
  return { kind: 'answer', text, sources, webSearch, partial, contextLost, files, sensitivity, privateChannel };
}

async function allLinks(question: Question, ports: RunPorts): Promise<string[]> {
  return [...question.links, ...(await ports.earlierLinks(question))];
}

/** A question that is asked again comes without its text, which only Slack has. */
async function readAgain(run: Run, ports: RunPorts): Promise<void> {
  const { question } = run.turn;
  if (!question.isAskedAgain || question.text) return;
  const read = await ports.readQuestion(question);
  if (!read) throw new UserError('question_gone', 'the question is not in Slack any more');
  const { text, links, unusable } = read;
  await run.save({ question: { ...question, text, links, unusable } });
}

/** Shorter waits are not announced. */
const SILENT_WAIT_MS = 5_000;

/** Waits for Slack's posting limits are missing here: one more message would prolong them. */
const SAID_WAITS = new Set([
  'assistant_throttled',
  'assistant_unreachable',
  'conversation_busy',
  'identity_provider_unavailable',
  'slack_reading_limited',
  'token_key_unknown',
]);

function isWorthSaying({ notBefore = 0, waitingSince = 0, waitingFor = '' }: Turn, now: number): boolean {
  if (!SAID_WAITS.has(waitingFor)) return false;
  return notBefore - now >= SILENT_WAIT_MS || now - waitingSince >= SILENT_WAIT_MS;
}

/** Turns an error into a wait or a notice to the person. */
async function explain(run: Run, error: unknown, ports: RunPorts): Promise<void> {
  if (error instanceof FenceLostError) throw error;
  const code = codeOf(error);
  const isBusyAgain = code === 'conversation_busy' && run.turn.waitingFor === code;
  if (error instanceof TransientError && !isBusyAgain) {
    // The wait may be long: do not show a working status meanwhile.
    await stopWorking(run, ports);
    if (error.retryAfterMs) ports.tell({ kind: 'waits', code, ms: error.retryAfterMs });
    await run.waitFor(error);
    if (run.turn.stage !== 'waiting') giveUpWaiting(run, error, ports);
    else if (isWorthSaying(run.turn, ports.now())) await showWaiting(run, ports);
    return;
  }
  // The stop is stored already, and the next run of the lane handles it.
  if (code === 'assistant_stopped') throw new FenceLostError(run.turn.id);
  if (!(error instanceof BridgeError)) throw error;
  logUnanswered(run, error, ports);
  const notice = noticeFor(error);
  // Shown in the list of dead letters.
  if (notice.code === 'failed') run.note({ lastError: code });
  run.decide(notice);
}

/** An encryption key still missing after ten minutes was dropped: the person has to sign in again. */
function giveUpWaiting(run: Run, error: TransientError, ports: RunPorts): void {
  logUnanswered(run, error, ports);
  if (error.code === 'token_key_unknown') run.decide({ kind: 'notice', code: 'sign_in_lost' });
}

/** If Slack does not let us remove the line, prompt for the sign-in all the same. */
function orLeave(error: unknown): void {
  if (!(error instanceof PermanentError) || error instanceof FenceLostError) throw error;
}

/** Not the error itself: it may carry text that the service wrote for the person. */
function logUnanswered({ turn }: Run, error: BridgeError, { log }: RunPorts): void {
  log.warn({ turn: turn.id, code: error.code, reason: error.message, ...traceOf(error) }, 'question not answered');
}

/** The service's request ids, if the error has them. */
function traceOf(error: BridgeError & { trace?: object }): { trace?: object } {
  return error.trace ? { trace: error.trace } : {};
}

/** Prompts before parking: a crash in between prompts twice, in private, rather than never. */
async function park(run: Run, ports: RunPorts): Promise<void> {
  try {
    await removeWaitLine(run, ports).catch(orLeave);
    const waiting = await ports.turns.parked(run.turn.question.asker);
    const hasPrompted = waiting.some((turn) => turn.hasPrompted);
    const prompted = ports.reply.promptSignIn(run.turn, hasPrompted);
    await Promise.all([prompted, stopWorking(run, ports)]);
    run.note({ hasPrompted: await prompted });
    run.note({ waitingSince: undefined, waitingFor: undefined });
    await run.settle({ stage: 'parked', notBefore: run.turn.acceptedAt + PARKED_MS });
  } catch (error) {
    await explain(run, error, ports);
  }
}
