import { hash } from 'node:crypto';
import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { FeedbackReason, Turn, Verdict } from '../../conversation/turn.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Texts } from '../../languages/english.ts';
import { textsFor } from '../request-source.ts';
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
import { answerWithWindow, type Clicker, onSubmit, readClicker, readOwnTurn } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/** As long as the record of the question is kept. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** A person's last feedback on an answer, without comment and text. */
type Given = { verdict: Verdict; reasons: FeedbackReason[] };

type Click = Pick<Feedback, 'turnId' | 'verdict'>;

/**
 * *Good answer* and *Bad answer*: the verdict counts at once, and the person is thanked. A window asks for the reasons if
 * the answer is bad, and for a comment and the text if FEEDBACK_CHANNEL is set. Of each person, only the last feedback on
 * an answer is kept.
 */
export function registerFeedback(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.feedback }, async ({ ack, body }) => {
    const click = readVerdict(body.actions[0]?.value);
    if (!click) return ack();
    ports.inBackground(() => noteVerdict(body, click, ports));
    ports.inBackground(async () => {
      await ports.clicks.say(body, toTextContent((await textsFor(body, ports)).controls.thanks));
    });
    if (click.verdict === 'good' && !ports.sendFeedback) return ack();
    await answerWithWindow({ ack, body }, ports, {
      topic: (texts) => toFeedbackTopic(click.verdict, texts),
      failed: ({ controls }) => controls.windowNotFilled,
      fill: (texts) => fill(body, click, texts, ports),
    });
  });

  onSubmit(app, { id: CALLBACKS.feedback }, ports, async ({ by, view, texts }) => {
    const feedback = readFeedback(view);
    if (!feedback) return undefined;
    return { view: buildThanks(feedback.verdict, await texts), after: () => take(by, feedback, ports) };
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

async function noteVerdict(body: object, { turnId, verdict }: Click, ports: ListenerPorts): Promise<void> {
  ports.log.info({ turn: turnId, rating: verdict }, 'feedback');
  await orNotKept(turnId, ports, async () => {
    const { person, workspace } = await readClicker(body, ports);
    const { key, given } = await findGiven(person, turnId, ports);
    if (given?.verdict === verdict) return;
    ports.tell({ kind: 'feedback', verdict, reason: 'none' });
    ports.countFeedback(verdict, { ...person, workspace });
    await keep(key, JSON.stringify({ verdict, reasons: [] } satisfies Given), ports);
  });
}

async function fill(body: object, click: Click, texts: Texts, ports: ListenerPorts): Promise<ModalView> {
  const hasChannel = ports.sendFeedback !== undefined;
  const turn = hasChannel ? await findOwnTurn(await readClicker(body, ports), click.turnId, ports) : undefined;
  return buildFeedbackWindow(click, { comment: hasChannel, text: turn !== undefined }, texts);
}

/** Processes the window. The person was thanked already, even if this fails. */
function take(by: Clicker, feedback: Feedback, ports: ListenerPorts): Promise<void> {
  const { turnId, verdict, reasons } = feedback;
  return orNotKept(turnId, ports, async () => {
    const { key, given } = await findGiven(by.person, turnId, ports);
    const known = given?.verdict === verdict ? given.reasons : [];
    for (const reason of reasons) if (!known.includes(reason)) ports.tell({ kind: 'feedback', verdict, reason });
    await keep(key, JSON.stringify({ verdict, reasons } satisfies Given), ports);
    await post(by, feedback, toPostKey(key), ports);
  });
}

async function orNotKept(turnId: string, { log }: ListenerPorts, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => log.warn({ turn: turnId, err: error }, 'feedback not kept'));
}

/** `key`: keeps the ts of the message in FEEDBACK_CHANNEL, so that the next feedback replaces it. */
async function post(by: Clicker, feedback: Feedback, key: string, ports: ListenerPorts): Promise<void> {
  const { turnId, reasons, comment, withText } = feedback;
  const former = await ports.once.peek(key);
  if (reasons.length === 0 && comment === '' && !withText && former === undefined) return;
  const ts = await ports.sendFeedback?.(feedback, await findOwnTurn(by, turnId, ports), former);
  if (ts !== undefined && ts !== former) await keep(key, ts, ports);
}

/** Only the asker may pass on the answer. Undefined for everybody else, and if the store cannot be read. */
async function findOwnTurn(by: Clicker, turnId: string, ports: ListenerPorts): Promise<Turn | undefined> {
  const turn = await readOwnTurn(turnId, by, ports).catch((error: unknown) => {
    ports.log.warn({ turn: turnId, err: error }, 'feedback without its question');
  });
  return typeof turn === 'object' ? turn : undefined;
}

async function findGiven(person: Person, turnId: string, ports: ListenerPorts) {
  const key = toKey(turnId, person);
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
