import { UserError } from '../errors.ts';
import { isHelpWord, type Language } from '../languages/language.ts';
import type { Log } from '../log.ts';
import { type Access, askService, type ServicePorts } from './ask-service.ts';
import type { QuestionRules, ReadChannelSettings } from './channel-settings.ts';
import { endWork, stopWorking } from './end-work.ts';
import { explain } from './explain.ts';
import { toFingerprint } from './fingerprint.ts';
import { type FinishPorts, finishReply, openThread } from './finish-reply.ts';
import { countDeaths, giveUp, MAX_FAILURES, recordFailure } from './give-up.ts';
import type { Notice, NoticeCode, Outcome, SharedMessage } from './outcome.ts';
import type { Question } from './question.ts';
import type { CheckCaps } from './question-caps.ts';
import { removeStrays } from './reply-parts.ts';
import { type QuestionStep, resumeQuestion } from './resume-turn.ts';
import { FenceLostError, Run } from './run.ts';
import type { QuestionContent, TurnStore } from './stores.ts';
import type { Turn } from './turn.ts';

export type RunPorts = ServicePorts &
  FinishPorts & {
    turns: TurnStore;
    /** The notice that says why this person may not ask here. Undefined: they may. */
    admit(question: Question): Promise<NoticeCode | undefined>;
    /** The rules that administrators have set for the question. */
    rules: ReadChannelSettings<keyof QuestionRules>;
    /** Counts the question if its channel has a cap. Returns a notice if the cap is reached. */
    checkCaps: CheckCaps;
    /** Throws AccountNotLinkedError. The turn is then parked until the person has signed in. */
    access(question: Question): Promise<Access>;
    /** The asker's language. Never fails. */
    language(question: Question): Promise<Language>;
    /** Reads a question that is asked again from Slack, because its text is not stored. Undefined: it is gone. */
    readQuestion(question: Question): Promise<ReadQuestion | undefined>;
    /** The messages of a private answer to share. Deleted ones are left out. */
    readShared(question: Question): Promise<SharedMessage[]>;
    /** Counts a turn that is done, `ms` after it was accepted. Never throws. */
    count(turn: Turn, ms: number): void;
    log: Log;
  };

/** `isByAsker`: only the asker can have written the current text. `isFollowed`: see Question. */
export type ReadQuestion = QuestionContent & { isByAsker: boolean; isFollowed: boolean };

/**
 * Runs one turn from its current stage to its one reply. A stop or a later run ends this run silently. Resolves with
 * whether the turn is done.
 */
export async function runTurn(turn: Turn, ports: RunPorts, signal: AbortSignal): Promise<boolean> {
  const run = new Run(turn, ports.turns, ports);
  try {
    if (!turn.language) run.note({ language: await ports.language(turn.question) });
    await goOn(run, ports, signal);
  } catch (error) {
    if (error instanceof FenceLostError) await giveWay(run, ports);
    else await recordFailure(run, error, ports);
  } finally {
    report(run, ports);
  }
  return run.saved.stage === 'done';
}

async function goOn(run: Run, ports: RunPorts, signal: AbortSignal): Promise<void> {
  const { stage, endsWork } = run.turn;
  if (endsWork) return endWork(run, ports);
  if (countDeaths(run.turn) >= MAX_FAILURES) return giveUp(run, ports);
  await proceed(run, resumeQuestion(stage), ports, signal);
  if (resumeQuestion(run.turn.stage) === 'finish') {
    await run.timed('slackMs', () => finishReply(run, ports));
  }
}

/** A later run or a stop took over: removes the messages that this run posted. */
async function giveWay(run: Run, ports: RunPorts): Promise<void> {
  ports.tell({ kind: 'fence_lost' });
  // This run may have set the working status after the later one cleared it.
  // No later run would remove them.
  await stopWorking(run, ports).finally(() => removeStrays(run, ports));
}

/** One info line per turn, at its end; debug lines for the runs before. */
function report({ saved: turn, times }: Run, ports: RunPorts): void {
  const { id, stage, result = '', fence, acceptedAt, waitedMs, details } = turn;
  const ms = ports.now() - acceptedAt;
  const hasWaited = waitedMs !== undefined;
  const line = { turn: id, stage, result, runs: fence, ms, ...times, hasWaited, requestId: details?.requestId };
  if (stage !== 'done' || turn.endsWork) return ports.log.debug(line, 'turn ran');
  ports.log.info(line, 'turn done');
  ports.tell({ kind: 'done', result, ms });
  ports.count(turn, ms);
}

async function proceed(run: Run, step: QuestionStep, ports: RunPorts, signal: AbortSignal): Promise<void> {
  const { sealed, stage } = run.turn;
  if (step === 'interrupt') return run.decide({ kind: 'notice', code: 'interrupted' });
  // The question or its answer cannot be decrypted any more.
  const isLost = sealed !== undefined && (step === 'run' || stage === 'answered');
  if (isLost) return run.decide({ kind: 'notice', code: 'question_lost' });
  if (step === 'run') await answerQuestion(run, ports, signal);
}

/** Afterwards the outcome is decided, or the turn waits, is parked, or has moved to another lane. */
async function answerQuestion(run: Run, ports: RunPorts, signal: AbortSignal): Promise<void> {
  try {
    const refusal = await ports.admit(run.turn.question);
    if (refusal) return await refuse(run, { kind: 'notice', code: refusal });
    if (run.turn.question.shares) return run.decide(await share(run, ports));
    const rules = await ports.rules(run.turn.question);
    const notice = findNotice(run.turn.question, rules);
    if (notice) return await refuse(run, notice);
    const { lane, question } = run.turn;
    if (isTooLate(run.turn, ports.now())) return await leaveOut(run, ports);
    const [access, held] = await Promise.all([
      ports.access(question),
      ports.threads.conversation(lane, question.asker.user),
    ]);
    await readAgain(run, ports);
    const reached = await ports.checkCaps(run.turn);
    if (reached) return run.decide(reached);
    if (!question.threadTs) return await openThread(run, ports);
    run.decide(await askService(run, { ...access, held, rules }, ports, signal));
  } catch (error) {
    await explain(run, error, ports);
  }
}

async function share(run: Run, ports: RunPorts): Promise<Outcome> {
  const messages = await ports.readShared(run.turn.question);
  return messages.length > 0 ? { kind: 'shared', messages } : { kind: 'notice', code: 'question_gone' };
}

/** Outcomes that need neither the service nor a sign-in. */
function findNotice(
  { text, isAskedAgain, scheduled }: Question,
  { pause, isRefused }: QuestionRules,
): Notice | undefined {
  if (isHelpWord(text)) return { kind: 'notice', code: 'help' };
  if (isRefused) return { kind: 'notice', code: 'not_allowed_here' };
  if (!text && !isAskedAgain) return { kind: 'notice', code: scheduled ? 'question_lost' : 'no_question' };
  return pause && { kind: 'notice', code: 'paused', detail: pause.word };
}

/** A scheduled question that is later than this is left out: after an outage nobody wants all missed answers. */
const LATEST_MS = 3_600_000;

/** Older questions from Slackbot are not asked. With the time to answer, below CLAIM_MS of ask-for-slackbot.ts. */
const CALLED_MS = 15 * 60_000;

function isTooLate({ question: { isLate = false, scheduled, origin }, acceptedAt }: Turn, now: number): boolean {
  if (origin === 'slackbot') return now - acceptedAt > CALLED_MS;
  return isLate || (scheduled !== undefined && now - scheduled.due > LATEST_MS);
}

/** Tells the asker in the question's thread, where they see which question it was and can ask it again. */
async function leaveOut(run: Run, ports: RunPorts): Promise<void> {
  if (run.turn.question.threadTs) await refuse(run, { kind: 'notice', code: 'too_late' });
  else await openThread(run, ports);
}

/** If nobody addressed the app, it stays silent about questions that it does not answer. */
async function refuse(run: Run, notice: Notice): Promise<void> {
  if (run.turn.question.isUnaddressed) await run.save({ stage: 'cancelled' });
  else run.decide(notice);
}

/**
 * Reads the text of a question that is asked again from Slack. If somebody else wrote the message, its text must not
 * have changed: nobody may ask, with their own access, a text that they have not seen.
 */
async function readAgain(run: Run, ports: RunPorts): Promise<void> {
  const { question } = run.turn;
  if (!question.isAskedAgain || question.text) return;
  const read = await ports.readQuestion(question);
  if (!read) throw new UserError('question_gone', 'the question is not in Slack any more');
  const { text, links, unusable, uploads, isFollowed } = read;
  if (!read.isByAsker && toFingerprint(read) !== question.fingerprint) {
    throw new UserError('question_changed', 'the question was changed by somebody else');
  }
  if (!text) throw new UserError('no_question', 'nothing is left of the question');
  // Words that turn web search off count even if they were added later.
  const webSearch = question.webSearch && read.webSearch;
  await run.save({ question: { ...question, text, webSearch, links, unusable, uploads, isFollowed } });
}
