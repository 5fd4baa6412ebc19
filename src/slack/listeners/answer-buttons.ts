import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { NoticeCode } from '../../conversation/outcome.ts';
import { type Person, type Question, toPersonKey } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { Texts } from '../../languages/english.ts';
import type { AnswerClicks } from '../answer-clicks.ts';
import { installationOf } from '../installations/request-source.ts';
import { type TextsPorts, textsFor } from '../texts-for.ts';
import { ACTIONS, type Content, toTextContent } from '../views/content.ts';
import { openWindow } from '../window.ts';
import type { ListenerPorts } from './message.ts';

/**
 * The buttons under an answer (*Ask again*, *Ask again without web*, *Share in thread*), and *Cancel the question* under
 * the line that says that it waits.
 */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  const register = (actionId: string, kind: string, change: (turn: Turn) => Partial<Question>) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, (click) =>
      answerClick(click, ports, async () => {
        const { turn, by } = await readClick(click.body, ports);
        return turn ? askAgain(turn, { kind, by, change: change(turn) }, ports) : tooOld;
      }),
    );

  register(ACTIONS.askAgain, 'again', () => ({ isAskedAgain: true }));
  register(ACTIONS.askWithoutWeb, 'web-off', () => ({ isAskedAgain: true, webSearch: false }));
  register(ACTIONS.shareInThread, 'share', (turn) => ({ shares: toPrivateParts(turn) }));

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.cancelWaiting }, (click) =>
    answerClick(click, ports, async () => {
      const { turn, by } = await readClick(click.body, ports);
      if (turn && toPersonKey(by) !== toPersonKey(turn.question.asker)) {
        return ({ controls }) => controls.cancelNotYours;
      }
      return turn && (await ports.endTurn(turn.id, 'stopped')) ? undefined : ({ controls }) => controls.cancelTooLate;
    }),
  );
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

type Click = { ack(): Promise<void>; body: object };

/** A sentence, or the content that replaces the clicked message, in the language of the person who clicked. */
type Answer = (texts: Texts) => string | { replacement: Content };

const tooOld: Answer = ({ controls }) => controls.tooOld;

/**
 * Does what a click asks for, acknowledges it, and only then answers it, because Slack waits three seconds for the
 * acknowledgement. `work` returns the answer, if any.
 */
export async function answerClick(
  { ack, body }: Click,
  ports: Pick<ListenerPorts, 'clicks' | 'inBackground'> & TextsPorts,
  work: () => Promise<Answer | undefined>,
): Promise<void> {
  let answer: Answer | undefined;
  await orSayNothingWasDone(
    async () => {
      answer = await work();
    },
    async () => {
      answer = ({ controls }) => controls.nothingWasDone;
    },
  );
  await ack();
  const given = answer;
  // In the background, because the acknowledgement is sent when the listener ends.
  if (given !== undefined) ports.inBackground(async () => show(body, given(await textsFor(body, ports)), ports.clicks));
}

/**
 * Slack never resends a command, a click or a modal: if the store cannot be written, the person is told to try again. Any
 * other error is a bug and is thrown.
 */
export async function orSayNothingWasDone(
  work: () => Promise<void>,
  sayNothingWasDone: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    await sayNothingWasDone();
  }
}

/** A trigger lives three seconds. If Slack is slow to tell the language, the window opens in the default one. */
const OPENING_MS = 250;

/**
 * Answers a click or a command with a window, after the acknowledgement: opening it may take longer than the three
 * seconds that Slack waits. `fill` looks up the content of the window, if needed, and reports its own errors in it. Both
 * say it in the words of the person.
 */
export async function answerWithWindow(
  { ack, body }: { ack(): Promise<void>; body: object },
  ports: Pick<ListenerPorts, 'call' | 'clicks' | 'inBackground' | 'log'> & TextsPorts,
  build: (texts: Texts) => ModalView,
  fill?: (texts: Texts, viewId: string) => Promise<ModalView>,
): Promise<void> {
  await ack();
  ports.inBackground(async () => {
    const texts = await textsFor(body, ports, OPENING_MS);
    const say = (content: Content) => ports.clicks.say(body, content);
    const window = await openWindow({ body, say, texts }, build(texts), ports);
    const known = await textsFor(body, ports);
    if (!window) return;
    if (fill) await window.show(await fill(known, window.viewId));
    else if (known !== texts) await window.show(build(known));
  });
}

async function readClick(body: BlockButtonAction, ports: ListenerPorts) {
  const turn = await ports.turns.get(body.actions[0]?.value ?? '');
  const { team } = await installationOf(body, ports);
  return { turn, by: { team, user: body.user.id } };
}

/** Results of questions that failed because of us or the service, not because of the asker. */
const FAULTS: ReadonlySet<string> = new Set<NoticeCode>([
  'interrupted',
  'outcome_unknown',
  'unavailable',
  'empty',
  'busy',
  'failed',
]);

type Again = { kind: string; by: Person; change: Partial<Question> };

/** A double click has the same id, so it makes one turn. Returns what to tell the person, if anything. */
async function askAgain(
  { id, question, parts, result }: Turn,
  { kind, by, change }: Again,
  ports: ListenerPorts,
): Promise<Answer | undefined> {
  // Never ask with another person's rights. The text is read from Slack later, and checked there: see readAgain.
  if (toPersonKey(by) !== toPersonKey(question.asker)) return ({ controls }) => controls.notYours;
  const messageTs = toAskedTs({ question, parts });
  if (!messageTs) return tooOld;
  const counted = FAULTS.has(result ?? '') ? { repeats: question.repeats ?? id } : {};
  const again = {
    ...question,
    messageTs,
    text: '',
    links: [],
    unusable: [],
    ...change,
    ...counted,
    isUnaddressed: false,
    isLate: false,
    scheduled: undefined,
  };
  const accepted = await ports.accept(`again:${id}:${kind}`, again);
  return accepted === 'duplicate' ? ({ controls }) => controls.doneAlready : undefined;
}

/** The message that shows the question. What was typed into a window is in the first message of the reply. */
export function toAskedTs({ question, parts }: Pick<Turn, 'question' | 'parts'>): string | undefined {
  return question.messageTs ?? (question.about ? parts[0]?.ts : question.threadTs);
}

/** The messages that only the asker got: parts of the reply that are not in the channel of the question. */
function toPrivateParts({ question, parts }: Turn): { channel: string; ts: string }[] {
  return parts.flatMap(({ channel, ts }) => (ts && channel !== question.channel ? [{ channel, ts }] : []));
}

async function show(body: object, answer: ReturnType<Answer>, clicks: AnswerClicks): Promise<void> {
  if (typeof answer === 'string') return void (await clicks.say(body, toTextContent(answer)));
  const { replacement } = answer;
  if (!(await clicks.replace(body, replacement))) await clicks.say(body, replacement);
}
