import { UserError } from '../errors.ts';
import { isHelpWord } from '../languages/language.ts';
import { askService } from './ask-service.ts';
import type { QuestionRules } from './channel-settings.ts';
import { endWork, stopWorking } from './end-work.ts';
import { explain } from './explain.ts';
import { finishReply, openThread } from './finish-reply.ts';
import { countDeaths, giveUp, MAX_FAILURES, recordFailure } from './give-up.ts';
import type { Notice, Outcome } from './outcome.ts';
import { type Question, toFingerprint } from './question.ts';
import { removeStrays } from './reply-parts.ts';
import { type QuestionStep, resumeQuestion } from './resume-turn.ts';
import { FenceLostError, Run, type RunPorts } from './run.ts';
import type { Turn } from './turn.ts';

/**
 * Runs one turn from its current stage to its one reply. A stop or a later run ends this run silently. Resolves with
 * whether the turn is done.
 */
export async function runTurn(turn: Turn, ports: RunPorts, signal: AbortSignal): Promise<boolean> {
  const run = new Run(turn, ports, signal);
  try {
    if (!turn.language) run.note({ language: await ports.language(turn.question) });
    await goOn(run);
  } catch (error) {
    if (error instanceof FenceLostError) await giveWay(run);
    else await recordFailure(run, error);
  } finally {
    report(run);
  }
  return run.saved.stage === 'done';
}

async function goOn(run: Run): Promise<void> {
  const { stage, endsWork } = run.turn;
  if (endsWork) return endWork(run);
  if (countDeaths(run.turn) >= MAX_FAILURES) return giveUp(run);
  await proceed(run, resumeQuestion(stage));
  if (resumeQuestion(run.turn.stage) === 'finish') await run.timed('slackMs', () => finishReply(run));
}

/** A later run or a stop took over: removes the messages that this run posted. */
async function giveWay(run: Run): Promise<void> {
  run.ports.tell({ kind: 'fence_lost' });
  // This run may have set the working status after the later one cleared it.
  // No later run would remove them.
  await stopWorking(run).finally(() => removeStrays(run));
}

/** One info line per turn, at its end; debug lines for the runs before. */
function report({ saved: turn, times, ports }: Run): void {
  const { id, stage, result = '', fence, acceptedAt, waitedMs, details } = turn;
  const ms = ports.now() - acceptedAt;
  const hasWaited = waitedMs !== undefined;
  const line = { turn: id, stage, result, runs: fence, ms, ...times, hasWaited, requestId: details?.requestId };
  if (stage !== 'done' || turn.endsWork) return ports.log.debug(line, 'turn ran');
  ports.log.info(line, 'turn done');
  ports.tell({ kind: 'done', result, ms });
  ports.count(turn, ms);
}

async function proceed(run: Run, step: QuestionStep): Promise<void> {
  const { sealed, stage } = run.turn;
  if (step === 'interrupt') return run.decide({ kind: 'notice', code: 'interrupted' });
  // The question or its answer cannot be decrypted any more.
  const isLost = sealed !== undefined && (step === 'run' || stage === 'answered');
  if (isLost) return run.decide({ kind: 'notice', code: 'question_lost' });
  if (step === 'run') await answerQuestion(run);
}

/** Afterwards the outcome is decided, or the turn waits, is parked, or has moved to another lane. */
async function answerQuestion(run: Run): Promise<void> {
  const { ports } = run;
  try {
    const refusal = await ports.admit(run.turn.question);
    if (refusal) return await refuse(run, { kind: 'notice', code: refusal });
    if (run.turn.question.shares) return run.decide(await share(run));
    const rules = await ports.rules(run.turn.question);
    const notice = findNotice(run.turn.question, rules);
    if (notice) return await refuse(run, notice);
    const { lane, question } = run.turn;
    if (isTooLate(run.turn, ports.now())) return await leaveOut(run);
    const [access, held] = await Promise.all([
      ports.access(question),
      ports.threads.conversation(lane, question.asker.user),
    ]);
    await readAgain(run);
    const reached = await ports.checkCaps(run.turn);
    if (reached) return run.decide(reached);
    if (!question.threadTs) return await openThread(run);
    run.decide(await askService(run, { ...access, held, rules }));
  } catch (error) {
    await explain(run, error);
  }
}

async function share(run: Run): Promise<Outcome> {
  const messages = await run.ports.readShared(run.turn.question);
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
async function leaveOut(run: Run): Promise<void> {
  if (run.turn.question.threadTs) await refuse(run, { kind: 'notice', code: 'too_late' });
  else await openThread(run);
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
async function readAgain(run: Run): Promise<void> {
  const { question } = run.turn;
  if (!question.isAskedAgain || question.text) return;
  const read = await run.ports.readQuestion(question);
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
