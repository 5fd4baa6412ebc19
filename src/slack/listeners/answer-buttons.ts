import type { App, BlockButtonAction } from '@slack/bolt';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { ACTIONS } from '../views/content.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { orSayNothingWasDone } from './nothing-was-done.ts';

const TOO_OLD = 'That question is too old for me to know it. Please write it again.';
const ALREADY = 'That was asked again already: the answer is further down in the thread.';

/** What can be pressed under an answer: *Ask again*, *Ask again without web*, *Share in thread*, and the thumbs. */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  type Click = { body: BlockButtonAction; ack(): Promise<void>; respond: (message: object) => Promise<unknown> };

  /** A double click has the same id, so it makes one turn. */
  const register = (actionId: string, kind: string, change: (body: BlockButtonAction) => Partial<Question>) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async (args) => {
      const { body, ack, respond } = args as Click;
      const say = (text: string) => respond({ response_type: 'ephemeral', replace_original: false, text });
      await orSayNothingWasDone(async () => {
        const turn = await ports.turns.get(body.actions[0]?.value ?? '');
        const messageTs = turn?.question.messageTs ?? turn?.question.threadTs;
        if (!turn || !messageTs) await say(TOO_OLD);
        else if ((await accept(turn, body, kind, { messageTs, ...change(body) })) === 'duplicate') await say(ALREADY);
      }, say);
      await ack();
    });

  async function accept(turn: Turn, body: BlockButtonAction, kind: string, change: Partial<Question>) {
    const asker = { team: turn.question.asker.team, user: body.user.id };
    const question = { ...turn.question, asker, text: '', links: [], unusable: [], ...change };
    return ports.accept(`again:${turn.id}:${kind}:${asker.user}`, question);
  }

  register(ACTIONS.askAgain, 'again', () => ({ isAskedAgain: true }));
  register(ACTIONS.askWithoutWeb, 'web-off', () => ({ isAskedAgain: true, webSearch: false }));
  register(ACTIONS.shareInThread, 'share', (body) => ({ shares: readMarkdown(body) }));

  app.action({ type: 'block_actions', action_id: ACTIONS.feedback }, async ({ action, ack, respond }) => {
    const [rating, turn] = 'value' in action && typeof action.value === 'string' ? action.value.split(' ') : [];
    ports.log.info({ turn, rating }, 'feedback');
    await ack();
    await respond({ response_type: 'ephemeral', replace_original: false, text: 'Thank you, noted.' });
  });
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

/** The answer as we wrote it into the message that is being shared. */
function readMarkdown({ message }: BlockButtonAction): string {
  const blocks: unknown = message?.blocks;
  if (!Array.isArray(blocks)) return '';
  return blocks
    .flatMap((block) => (block?.type === 'markdown' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n\n');
}
