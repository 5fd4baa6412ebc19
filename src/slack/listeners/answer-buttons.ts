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
const NOT_YOURS =
  'Only the person who asked can do that. To ask the same with your own access, use *Ask without web search* in the menu of the question, or write it yourself.';

/** What can be pressed under an answer: *Ask again*, *Ask again without web*, *Share in thread*, and the thumbs. */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  const register = (actionId: string, kind: string, change: (turn: Turn) => Partial<Question>) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, (click) =>
      answerClick(click, ports, async () => {
        const turn = await ports.turns.get(click.body.actions[0]?.value ?? '');
        const { team } = await installationOf(click.body, ports);
        return turn ? accept(turn, { kind, by: { team, user: click.body.user.id }, change: change(turn) }) : TOO_OLD;
      }),
    );

  /** A double click has the same id, so it makes one turn. Returns what is to be said about it, if anything. */
  async function accept(turn: Turn, click: { kind: string; by: Person; change: Partial<Question> }) {
    const { question } = turn;
    // Its text is read again from Slack, where its author may have changed it: nobody else's rights may be used for it.
    if (toPersonKey(click.by) !== toPersonKey(question.asker)) return NOT_YOURS;
    const messageTs = question.messageTs ?? question.threadTs;
    if (!messageTs) return TOO_OLD;
    const again = { ...question, messageTs, text: '', links: [], unusable: [], ...click.change };
    const result = await ports.accept(`again:${turn.id}:${click.kind}`, again);
    return result === 'duplicate' ? ALREADY : undefined;
  }

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
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

/** The messages that the asker alone got: those of the reply that are not in the channel of the question. */
function toPrivateParts({ question, parts }: Turn): { channel: string; ts: string }[] {
  return parts.flatMap(({ channel, ts }) => (ts && channel !== question.channel ? [{ channel, ts }] : []));
}

type Click = { ack(): Promise<void>; body: object };

/** What a click comes to: a sentence, or what takes the place of the message that was clicked. */
type Answer = string | { replacement: Content };

/**
 * Does what a click asks for, acknowledges it, and only then answers it: Slack waits three seconds for the
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
  // Not waited for: the acknowledgement goes out when the listener ends.
  if (given !== undefined) ports.inBackground(() => show(body, given, ports.clicks));
}

async function show(body: object, answer: Answer, clicks: AnswerClicks): Promise<void> {
  if (typeof answer === 'string') return void (await clicks.say(body, toTextContent(answer)));
  const { replacement } = answer;
  if (!(await clicks.replace(body, replacement))) await clicks.say(body, replacement);
}

const CANCEL_NOT_YOURS = 'Only the person who asked can cancel the question.';
const TOO_LATE = 'It is too late to cancel that question: it is done already.';

/** *Cancel the question*, under the line that tells that it waits. */
export function registerCancelWaiting(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.cancelWaiting }, (click) =>
    answerClick(click, ports, async () => {
      const turn = await ports.turns.get(click.body.actions[0]?.value ?? '');
      const { team } = await installationOf(click.body, ports);
      const isTheirs = turn && toPersonKey(turn.question.asker) === toPersonKey({ team, user: click.body.user.id });
      if (turn && !isTheirs) return CANCEL_NOT_YOURS;
      return turn && (await ports.endTurn(turn.id, 'stopped')) ? undefined : TOO_LATE;
    }),
  );
}

/**
 * Answers a click or a command with a window, after the acknowledgement: Slack may take longer for the window than it
 * waits for that. `fill`: what belongs in the window, where that has to be looked up; it says itself what went wrong.
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
