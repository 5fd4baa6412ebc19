import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Person, type Question, toPersonKey } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { AnswerClicks } from '../answer-clicks.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS, type Content, toTextContent } from '../views/content.ts';
import { openWindow } from '../window.ts';
import { orSayNothingWasDone } from './assistant-command.ts';
import type { ListenerPorts } from './message.ts';

const TOO_OLD = 'That question is too old for me to know it. Please write it again.';
const ALREADY = 'You did that already: look in the thread of your question.';
const CANCEL_NOT_YOURS = 'Only the person who asked can cancel the question.';
const TOO_LATE = 'It is too late to cancel that question: it is done already.';
const NOT_YOURS =
  'Only the person who asked can do that. To ask the same with your own access, use *Ask without web search* in the menu of the question, or write it yourself.';

/**
 * The buttons under an answer (*Ask again*, *Ask again without web*, *Share in thread*, the thumbs), and *Cancel the
 * question* under the line that says that it waits.
 */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  const register = (actionId: string, kind: string, change: (turn: Turn) => Partial<Question>) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, (click) =>
      answerClick(click, ports, async () => {
        const { turn, by } = await readClick(click.body, ports);
        return turn ? askAgain(turn, { kind, by, change: change(turn) }, ports) : TOO_OLD;
      }),
    );

  register(ACTIONS.askAgain, 'again', () => ({ isAskedAgain: true }));
  register(ACTIONS.askWithoutWeb, 'web-off', () => ({ isAskedAgain: true, webSearch: false }));
  register(ACTIONS.shareInThread, 'share', (turn) => ({ shares: toPrivateParts(turn) }));

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.feedback }, (click) =>
    answerClick(click, ports, async () => {
      const [rating, turn] = (click.body.actions[0]?.value ?? '').split(' ');
      ports.log.info({ turn, rating }, 'feedback');
      return 'Thank you, noted.';
    }),
  );
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.cancelWaiting }, (click) =>
    answerClick(click, ports, async () => {
      const { turn, by } = await readClick(click.body, ports);
      if (turn && toPersonKey(by) !== toPersonKey(turn.question.asker)) return CANCEL_NOT_YOURS;
      return turn && (await ports.endTurn(turn.id, 'stopped')) ? undefined : TOO_LATE;
    }),
  );
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

type Click = { ack(): Promise<void>; body: object };

/** A sentence, or what replaces the message that was clicked. */
type Answer = string | { replacement: Content };

/**
 * Does what a click asks for, acknowledges it, and only then answers it, because Slack waits three seconds for the
 * acknowledgement. `work` returns the answer, if any.
 */
export async function answerClick(
  { ack, body }: Click,
  ports: Pick<ListenerPorts, 'clicks' | 'inBackground'>,
  work: () => Promise<Answer | undefined>,
): Promise<void> {
  let answer: Answer | undefined;
  await orSayNothingWasDone(
    async () => {
      answer = await work();
    },
    async (text) => {
      answer = text;
    },
  );
  await ack();
  const given = answer;
  // In the background, because the acknowledgement is sent when the listener ends.
  if (given !== undefined) ports.inBackground(() => show(body, given, ports.clicks));
}

/**
 * Answers a click or a command with a window, after the acknowledgement: opening it may take longer than the three
 * seconds that Slack waits. `fill` looks up the content of the window, if needed, and reports its own errors in it.
 */
export async function answerWithWindow(
  { ack, body }: { ack(): Promise<void>; body: object },
  ports: Pick<ListenerPorts, 'call' | 'clicks' | 'findInstallation' | 'inBackground' | 'log'>,
  view: ModalView,
  fill?: () => Promise<ModalView>,
): Promise<void> {
  await ack();
  ports.inBackground(async () => {
    const window = await openWindow({ body, say: (content) => ports.clicks.say(body, content) }, view, ports);
    if (fill) await window?.show(await fill());
  });
}

async function readClick(body: BlockButtonAction, ports: ListenerPorts) {
  const turn = await ports.turns.get(body.actions[0]?.value ?? '');
  const { team } = await installationOf(body, ports);
  return { turn, by: { team, user: body.user.id } };
}

type Again = { kind: string; by: Person; change: Partial<Question> };

/** A double click has the same id, so it makes one turn. Returns what to tell the person, if anything. */
async function askAgain({ id, question }: Turn, { kind, by, change }: Again, ports: ListenerPorts) {
  // The text is read again from Slack, where its author may have changed it: never ask it with another person's rights.
  if (toPersonKey(by) !== toPersonKey(question.asker)) return NOT_YOURS;
  const messageTs = question.messageTs ?? question.threadTs;
  if (!messageTs) return TOO_OLD;
  const again = { ...question, messageTs, text: '', links: [], unusable: [], ...change };
  const result = await ports.accept(`again:${id}:${kind}`, again);
  return result === 'duplicate' ? ALREADY : undefined;
}

/** The messages that only the asker got: those of the reply that are not in the channel of the question. */
function toPrivateParts({ question, parts }: Turn): { channel: string; ts: string }[] {
  return parts.flatMap(({ channel, ts }) => (ts && channel !== question.channel ? [{ channel, ts }] : []));
}

async function show(body: object, answer: Answer, clicks: AnswerClicks): Promise<void> {
  if (typeof answer === 'string') return void (await clicks.say(body, toTextContent(answer)));
  const { replacement } = answer;
  if (!(await clicks.replace(body, replacement))) await clicks.say(body, replacement);
}
