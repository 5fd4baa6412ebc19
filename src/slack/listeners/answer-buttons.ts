import type { App } from '@slack/bolt';
import { isWhispered, type NoticeCode } from '../../conversation/outcome.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import { toAskedTs } from '../read-thread.ts';
import { ACTIONS } from '../views/content.ts';
import { buildDetailsWindow, toDetailsTopic } from '../views/details-window.ts';
import { buildProblemModal } from '../views/modal.ts';
import { type Answer, onButton, onWindowButton, readOwnTurn } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/**
 * The buttons under an answer (*Ask again*, *Ask again without web*, *Share in thread*, *Details*), and *Cancel the
 * question* under the line that says that the question waits.
 */
export function registerAnswerButtons(app: App, ports: ListenerPorts): void {
  registerDetails(app, ports);
  const register = (actionId: string, kind: string, change: (turn: Turn) => Partial<Question>) =>
    onButton(app, actionId, ports, async ({ by, value }) => {
      const turn = await readOwnTurn(value, by, ports);
      if (typeof turn === 'string') return ({ controls }) => controls[turn];
      return askAgain(turn, kind, change(turn), ports);
    });

  register(ACTIONS.askAgain, 'again', () => ({ isAskedAgain: true }));
  register(ACTIONS.askWithoutWeb, 'web-off', () => ({ isAskedAgain: true, webSearch: false }));
  register(ACTIONS.shareInThread, 'share', (turn) => ({ shares: toPrivateParts(turn) }));

  onButton(app, ACTIONS.cancelWaiting, ports, async ({ by, value }) => {
    const turn = await readOwnTurn(value, by, ports);
    if (turn === 'notYours') return ({ controls }) => controls.cancelNotYours;
    const hasEnded = turn !== 'tooOld' && (await ports.endTurn(turn.id, 'stopped'));
    return hasEnded ? undefined : ({ controls }) => controls.cancelTooLate;
  });
  app.action({ type: 'block_actions', action_id: ACTIONS.openAddress }, async ({ ack }) => ack());
}

/** *Details* under an answer: a window that says how the answer came about, for the person who asked. */
function registerDetails(app: App, ports: ListenerPorts): void {
  onWindowButton(app, ACTIONS.details, ports, {
    topic: toDetailsTopic,
    failed: ({ details }) => details.failed,
    async fill({ by, value, body }, texts) {
      const turn = await readOwnTurn(value, by, ports);
      if (typeof turn === 'string') return buildProblemModal(texts.details[turn], toDetailsTopic(texts), texts);
      const profileZone = await ports.people.timeZoneSoon(by.workspace, by.person.user);
      return buildDetailsWindow(turn, body.message, { profileZone, defaultZone: ports.defaultTimeZone }, texts);
    },
  });
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

/** A double click has the same id, so it makes one turn. The text is read from Slack later, and checked: see readAgain. */
async function askAgain(
  { id, question, parts, result }: Turn,
  kind: string,
  change: Partial<Question>,
  ports: ListenerPorts,
): Promise<Answer | undefined> {
  const messageTs = toAskedTs({ question, parts });
  if (!messageTs) return ({ controls }) => controls.tooOld;
  const repeats = FAULTS.has(result ?? '') ? (question.repeats ?? id) : undefined;
  const again = {
    ...question,
    messageTs,
    text: '',
    links: [],
    unusable: [],
    ...change,
    repeats,
    isUnaddressed: false,
    isLate: false,
    scheduled: undefined,
  };
  const againId = await toFreeId(`again:${id}:${kind}`, ports);
  if ((await ports.accept(againId, again)) !== 'duplicate') return undefined;
  // A double click needs no words: in a direct message they would stay, and take the place of the answer that is coming.
  const { stage = 'accepted' } = (await ports.turns.get(againId)) ?? {};
  return stage === 'accepted' || stage === 'asking' ? undefined : ({ controls }) => controls.doneAlready;
}

/** After a pause or a cap, say, the thread has nothing to look at, and the button is to work again: another turn, another id. */
async function toFreeId(id: string, { turns }: Pick<ListenerPorts, 'turns'>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const free = attempt === 1 ? id : `${id}:${attempt}`;
    const known = await turns.get(free);
    if (!isWhispered(known?.result ?? '')) return free;
  }
}

/** The messages that only the asker got: parts of the reply that are not in the channel of the question. */
function toPrivateParts({ question, parts }: Turn): { channel: string; ts: string }[] {
  return parts.flatMap(({ channel, ts }) => (ts && channel !== question.channel ? [{ channel, ts }] : []));
}
