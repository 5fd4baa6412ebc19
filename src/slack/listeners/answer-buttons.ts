import type { App, BlockButtonAction } from '@slack/bolt';
import { type Person, toPersonKey } from '../../conversation/person.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS } from '../views/content.ts';
import { answerClick } from './answer-click.ts';
import type { ListenerPorts } from './listener-ports.ts';

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
