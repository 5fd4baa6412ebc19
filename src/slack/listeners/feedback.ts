import { hash } from 'node:crypto';
import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { FeedbackReason, Turn, Verdict } from '../../conversation/turn.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import { textsFor } from '../texts-for.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS, toTextContent } from '../views/content.ts';
import {
  buildFeedbackWindow,
  buildThanks,
  type Feedback,
  readFeedback,
  readVerdict,
  toFeedbackTopic,
} from '../views/feedback-window.ts';
import { buildLoadingModal } from '../views/modal.ts';
import { answerWithWindow } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

/** As long as the record of the question is kept. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What a person thought of an answer last. No comment, no text. */
type Given = { verdict: Verdict; reasons: FeedbackReason[] };

type Click = Pick<Feedback, 'turnId' | 'verdict'>;

/**
 * *Good answer* and *Bad answer*: the verdict counts at once, and who gave it is thanked. A window asks for more, where
 * there is something to ask: reasons for a bad one; a comment and the text where there is a channel for them. One feedback
 * per answer and person, the last one.
 */
export function registerFeedback(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.feedback }, async ({ ack, body }) => {
    const { value } = body.actions[0] ?? {};
    const click = readVerdict(value);
    if (!click) return ack();
    ports.inBackground(() => noteVerdict(body, click, ports));
    ports.inBackground(async () => {
      await ports.clicks.say(body, toTextContent((await textsFor(body, ports)).controls.thanks));
    });
    if (click.verdict === 'good' && !ports.feedbackChannel) return ack();
    await answerWithWindow(
      { ack, body },
      ports,
      (texts) => buildLoadingModal(toFeedbackTopic(click.verdict, texts), texts),
      (texts) => fill(body, click, texts, ports),
    );
  });

  app.view({ callback_id: CALLBACKS.feedback, type: 'view_submission' }, async ({ view, body, ack }) => {
    const feedback = readFeedback(view);
    if (!feedback) return ack();
    const thanks = buildThanks(feedback.verdict, await textsFor(body, ports));
    await ack({ response_action: 'update', view: thanks });
    ports.inBackground(() => take(body, feedback, ports));
  });
}

/** Removes a person's feedback on these answers. Throws StoreUnavailableError. */
export async function forgetFeedback(
  person: Person,
  turnIds: string[],
  once: Pick<ExpiringStore, 'take'>,
): Promise<void> {
  const keys = turnIds.map((id) => toKey(id, person));
  await Promise.all(keys.flatMap((key) => [once.take(key), once.take(toPostKey(key))]));
}

type Body = { user: { id: string } };

async function noteVerdict(body: Body, { turnId, verdict }: Click, ports: ListenerPorts): Promise<void> {
  ports.log.info({ turn: turnId, rating: verdict }, 'feedback');
  try {
    const { key, given } = await findGiven(body, turnId, ports);
    if (given?.verdict === verdict) return;
    ports.tell({ kind: 'feedback', verdict, reason: 'none' });
    ports.countFeedback(verdict, await toPerson(body, ports));
    await keep(key, JSON.stringify({ verdict, reasons: [] } satisfies Given), ports);
  } catch (error) {
    ports.log.warn({ turn: turnId, err: error }, 'feedback not kept');
  }
}

async function fill(body: Body, click: Click, texts: Texts, ports: ListenerPorts): Promise<ModalView> {
  const hasChannel = ports.feedbackChannel !== undefined;
  const turn = hasChannel ? await findOwnTurn(body, click.turnId, ports) : undefined;
  return buildFeedbackWindow(click, { comment: hasChannel, text: turn !== undefined }, texts);
}

/** Processes the window. The person was thanked already, even if this fails. */
async function take(body: Body, feedback: Feedback, ports: ListenerPorts): Promise<void> {
  const { turnId, verdict, reasons } = feedback;
  try {
    const { key, given } = await findGiven(body, turnId, ports);
    const known = given?.verdict === verdict ? given.reasons : [];
    for (const reason of reasons) if (!known.includes(reason)) ports.tell({ kind: 'feedback', verdict, reason });
    await keep(key, JSON.stringify({ verdict, reasons } satisfies Given), ports);
    await post(body, feedback, toPostKey(key), ports);
  } catch (error) {
    ports.log.warn({ turn: turnId, err: error }, 'feedback not kept');
  }
}

/** `key`: keeps the ts of the message in FEEDBACK_CHANNEL, so that the next feedback replaces it. */
async function post(body: Body, feedback: Feedback, key: string, ports: ListenerPorts): Promise<void> {
  const { turnId, reasons, comment, withText } = feedback;
  const former = await ports.once.peek(key);
  if (reasons.length === 0 && comment === '' && !withText && former === undefined) return;
  const turn = await findOwnTurn(body, turnId, ports);
  const ts = await ports.feedbackChannel?.send(feedback, turn, former);
  if (ts !== undefined && ts !== former) await keep(key, ts, ports);
}

/** Only the asker may pass on the answer. Undefined for everybody else, and if the store cannot be read. */
async function findOwnTurn(body: Body, turnId: string, ports: ListenerPorts): Promise<Turn | undefined> {
  try {
    const turn = await ports.turns.get(turnId);
    const by = await toPerson(body, ports);
    return turn && toPersonKey(turn.question.asker) === toPersonKey(by) ? turn : undefined;
  } catch (error) {
    ports.log.warn({ turn: turnId, err: error }, 'feedback without its question');
    return undefined;
  }
}

async function findGiven(body: Body, turnId: string, ports: ListenerPorts) {
  const key = toKey(turnId, await toPerson(body, ports));
  const known = await ports.once.peek(key);
  return { key, given: known === undefined ? undefined : (JSON.parse(known) as Given) };
}

/** A digest, so that the key does not show who gave the feedback. */
function toKey(turnId: string, person: Person): string {
  return `feedback:${hash('sha256', `${turnId} ${toPersonKey(person)}`)}`;
}

function toPostKey(key: string): string {
  return `${key}:post`;
}

function keep(key: string, value: string, ports: ListenerPorts): Promise<void> {
  return ports.once.put(key, value, ports.now() + KEPT_MS);
}

async function toPerson(body: Body, ports: ListenerPorts): Promise<Person & { workspace: string }> {
  const { team, workspace } = await installationOf(body, ports);
  return { team, user: body.user.id, workspace };
}
