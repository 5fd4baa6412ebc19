import type { App, BlockButtonAction } from '@slack/bolt';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { ACTIONS } from '../views/content.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { orSayNothingWasDone } from './nothing-was-done.ts';

const TOO_OLD = 'That question is too old for me to know it. Please write it again.';
const ALREADY = 'You did that already: look further down in the thread.';

/** What can be pressed under an answer: *Ask again*, *Ask again without web*, *Share in thread*, and the thumbs. */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  const register = (actionId: string, kind: string, change: (turn: Turn) => Partial<Question>) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack, respond }) => {
      let toSay: string | undefined;
      await orSayNothingWasDone(
        async () => {
          const turn = await ports.turns.get(body.actions[0]?.value ?? '');
          toSay = turn ? await accept(turn, { kind, user: body.user.id, change: change(turn) }) : TOO_OLD;
        },
        async (text) => {
          toSay = text;
        },
      );
      await ack();
      if (toSay) await respond({ response_type: 'ephemeral', replace_original: false, text: toSay });
    });

  /** A double click has the same id, so it makes one turn. Returns what is to be said about it, if anything. */
  async function accept(turn: Turn, click: { kind: string; user: string; change: Partial<Question> }) {
    const { question } = turn;
    const messageTs = question.messageTs ?? question.threadTs;
    if (!messageTs) return TOO_OLD;
    const asker = { team: question.asker.team, user: click.user };
    const again = { ...question, asker, messageTs, text: '', links: [], unusable: [], ...click.change };
    const result = await ports.accept(`again:${turn.id}:${click.kind}:${asker.user}`, again);
    return result === 'duplicate' ? ALREADY : undefined;
  }

  register(ACTIONS.askAgain, 'again', () => ({ isAskedAgain: true }));
  register(ACTIONS.askWithoutWeb, 'web-off', () => ({ isAskedAgain: true, webSearch: false }));
  register(ACTIONS.shareInThread, 'share', (turn) => ({ shares: toPrivateParts(turn) }));

  app.action({ type: 'block_actions', action_id: ACTIONS.feedback }, async ({ action, ack, respond }) => {
    const [rating, turn] = 'value' in action && typeof action.value === 'string' ? action.value.split(' ') : [];
    ports.log.info({ turn, rating }, 'feedback');
    await ack();
    await respond({ response_type: 'ephemeral', replace_original: false, text: 'Thank you, noted.' });
  });
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

/** The messages that the asker alone got: those of the reply that are not in the channel of the question. */
function toPrivateParts({ question, parts }: Turn): { channel: string; ts: string }[] {
  return parts.flatMap(({ channel, ts }) => (ts && channel !== question.channel ? [{ channel, ts }] : []));
}
