// Questions that are edited or deleted after they were written.
import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Question } from '../../conversation/question.ts';
import type { QuestionContent } from '../../conversation/stores.ts';
import type { Turn } from '../../conversation/turn.ts';
import { textsOf } from '../../languages/texts.ts';
import type { Events } from '../bolt-app.ts';
import { installationOf } from '../request-source.ts';
import { ACTIONS, buildButton, type Content, toTextContent } from '../views/content.ts';
import {
  type Addressed,
  EDIT_KEPT_MS,
  isForUs,
  LATEST_DELIVERY_MS,
  noteTakenEdit,
  readAddressed,
  toDeletedKey,
  toEditKey,
} from './message.ts';
import { onButton, readOwnTurn } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/** After these results *Ask again* is not offered: it would fail again, or the asker does not want it. */
const NOT_OFFERED = new Set(['cancelled', 'guest', 'shared_channel', 'cannot_post']);

const editorSchema = z.looseObject({ user: z.string(), ts: z.string() }).optional();

const changedSchema = z.looseObject({
  subtype: z.literal('message_changed'),
  channel: z.string(),
  channel_type: z.string().optional(),
  /** Of the change. */
  ts: z.string().optional(),
  message: z.looseObject({
    ts: z.string(),
    subtype: z.string().optional(),
    user: z.string().optional(),
    edited: editorSchema,
  }),
  previous_message: z.looseObject({ edited: editorSchema }).nullish(),
});

const deletedSchema = z.looseObject({
  subtype: z.literal('message_deleted'),
  channel: z.string(),
  channel_type: z.string().optional(),
  deleted_ts: z.string(),
  previous_message: z.looseObject({}).nullish(),
});

/**
 * An edit before the question is sent to the service changes the question. After a later edit the asker is offered *Ask
 * again*. Link previews and other changes that the author did not make are ignored. A deleted question gets no answer; if
 * it has replies, Slack keeps a tombstone.
 */
export function registerChangedMessages(events: Events, ports: ListenerPorts): void {
  events.event('message', async ({ event, body }) => {
    const deleted = deletedSchema.safeParse(event).data;
    const changed = changedSchema.safeParse(event).data;
    if (deleted) {
      await cancel(body, { ...deleted, ts: deleted.deleted_ts }, ports);
    } else if (changed?.message.subtype === 'tombstone') {
      await cancel(body, { ...changed, ts: changed.message.ts }, ports);
    } else if (changed) {
      await takeEdit(body, changed, ports);
    }
  });
}

type Deleted = Pick<Changed, 'channel' | 'channel_type' | 'previous_message'> & { ts: string };

/** All turns that read this message have its ts, however often it was edited and asked again. */
async function cancel(body: object, deleted: Deleted, ports: ListenerPorts): Promise<void> {
  const { channel, ts } = deleted;
  const { team } = await installationOf(body, ports);
  const turn = await ports.turns.get(`message:${team}:${channel}:${ts}`);
  if (!turn) return refuseLater(body, deleted, ports);
  const { asker } = turn.question;
  const [open, parked] = await Promise.all([ports.turns.inLane(turn.lane), ports.turns.parked(asker)]);
  const isAsking = ({ question, endsWork }: Turn) =>
    question.channel === channel &&
    question.messageTs === ts &&
    question.asker.user === asker.user &&
    !question.shares &&
    !endsWork;
  for (const { id } of [...open, ...parked].filter(isAsking)) await ports.endTurn(id, 'cancelled');
}

/** Reads what a message said before or after its change, if that is a question. */
async function createReader(
  body: object,
  { channel, channel_type }: Pick<Changed, 'channel' | 'channel_type'>,
  ports: ListenerPorts,
): Promise<(side: object | null | undefined) => Addressed | undefined> {
  const installation = await installationOf(body, ports);
  const isShared = 'is_ext_shared_channel' in body && body.is_ext_shared_channel === true;
  return (side) =>
    side ? readAddressed({ ...side, type: 'message', channel, channel_type }, isShared, installation) : undefined;
}

/** Slack may still resend the event of a deleted question. Nobody wants that answer. */
async function refuseLater(body: object, deleted: Deleted, ports: ListenerPorts): Promise<void> {
  const read = await createReader(body, deleted, ports);
  const before = read(deleted.previous_message);
  const isRecent = ports.now() - Number(deleted.ts) * 1_000 < LATEST_DELIVERY_MS;
  if (!isRecent || !before || !(await isForUs(before, ports))) return;
  await ports.once.put(toDeletedKey(before.id), '', ports.now() + LATEST_DELIVERY_MS);
}

type Changed = z.infer<typeof changedSchema>;

async function takeEdit(body: object, changed: Changed, ports: ListenerPorts): Promise<void> {
  const { message, previous_message } = changed;
  const { edited } = message;
  if (!edited || edited.user !== message.user) return;
  const read = await createReader(body, changed, ports);
  const now = read(message);
  const before = read(previous_message);
  if (!now) return;
  const said = toContent(now.question);
  // Do not compare times of edits: they are in whole seconds, and a later preview does not change them.
  const isNews = !before || toComparable(said) !== toComparable(toContent(before.question));
  const isAccepted = (await ports.turns.get(now.id)) !== undefined;
  const asked = isAccepted ? 'duplicate' : await askIfNew(now, before, changed, ports);
  if (asked === 'new') return noteTakenEdit(now.id, edited.ts, ports);
  if (!asked || !isNews || !(await noteEdit(now.id, changed, ports))) return;
  if (await ports.turns.revise(now.id, said)) return noteTakenEdit(now.id, edited.ts, ports);
  const turn = await ports.turns.get(now.id);
  if (turn) await offer(body, { turn, editedTs: edited.ts }, ports);
}

/** False: a later edit was noted already, because Slack resends edits. `ts` is exact, and the same when it is resent. */
async function noteEdit(id: string, { ts = '' }: Pick<Changed, 'ts'>, { once, now }: ListenerPorts): Promise<boolean> {
  const key = `edited:${id}`;
  const last = await once.peek(key);
  if (last !== undefined && Number(last) > Number(ts)) return false;
  await once.put(key, ts, now() + EDIT_KEPT_MS);
  return true;
}

/**
 * An edit can make a message a question, usually by adding a mention. If the message's own event was refused and comes
 * later, it has the same id, so the question is asked once, in the edited form. 'duplicate': it came at the same moment, and
 * was accepted as it was before.
 */
async function askIfNew(
  now: Addressed,
  before: Addressed | undefined,
  changed: Pick<Changed, 'ts'>,
  ports: ListenerPorts,
): Promise<'new' | 'duplicate' | undefined> {
  if (!before || !(await isForUs(now, ports))) return;
  const isRecent = ports.now() - Number(now.question.messageTs) * 1_000 < LATEST_DELIVERY_MS;
  // A message for us without a turn is older than the turns we keep.
  if (!isRecent && (await isForUs(before, ports))) return;
  // Slack may also resend an edit after the deletion.
  if ((await ports.once.peek(toDeletedKey(now.id))) !== undefined) return;
  await noteEdit(now.id, changed, ports);
  return ports.accept(now.id, now.question);
}

type Offer = { turn: Turn; editedTs: string };

/** Once per edit, even if Slack resends the event. Best effort: without the offer people can still ask again. */
async function offer(body: object, { turn, editedTs }: Offer, ports: ListenerPorts): Promise<void> {
  const { question, stage, result = '', parts } = turn;
  if (NOT_OFFERED.has(stage) || NOT_OFFERED.has(result)) return;
  const mine = randomUUID();
  const key = toEditKey(turn.id, editedTs);
  if ((await ports.once.claim(key, mine, ports.now() + EDIT_KEPT_MS)) !== mine) return;
  const { channel, threadTs, startsThread, asker } = question;
  // In a thread without replies Slack does not show ephemeral messages.
  const isThread = channel.startsWith('D') || !startsThread || parts.some((part) => part.channel === channel);
  const place = isThread ? { channel, threadTs } : { channel };
  ports.inBackground(async () => {
    await ports.clicks.say({ ...body, user: { id: asker.user } }, buildOffer(turn, editedTs), { place });
  });
}

/** *Ask again*, for the asker alone. */
export function buildOffer({ id, stage, language }: Turn, editedTs: string, texts = textsOf(language)): Content {
  const { edits, answer } = texts;
  const content = toTextContent(stage === 'asking' ? edits.editedTooLate : edits.editedAfterEnd);
  const button = buildButton(ACTIONS.askEdited, answer.askAgain, `${id} ${editedTs}`);
  return { ...content, blocks: [...content.blocks, { type: 'actions', elements: [button] }] };
}

/** The button of that offer. It asks what the message says when the turn runs. */
export function registerAskEdited(app: App, ports: ListenerPorts): void {
  onButton(app, ACTIONS.askEdited, ports, async ({ by, value }) => {
    const [id = '', editedTs = ''] = value.split(' ');
    const turn = await readOwnTurn(id, by, ports);
    if (typeof turn === 'string') return ({ controls }) => controls[turn];
    // Whether the web is searched is read from the message as well.
    const own = { text: '', links: [], unusable: [], webSearch: true, isAskedAgain: true };
    const again = { ...turn.question, ...own, isUnaddressed: false, isLate: false };
    // Double clicks and retries get the same turn id. Like the first turn id, it names the message's place.
    const result = await ports.accept(`edit:${id.replace(/^message:/, '')}:${editedTs}`, again);
    return ({ edits }) => ({
      replacement: toTextContent(result === 'duplicate' ? edits.askedEditedAlready : edits.askingEdited),
    });
  });
}

function toContent({ text, webSearch, links, unusable, uploads }: Question): QuestionContent {
  return { text, webSearch, links, unusable, uploads };
}

/** If only spaces changed, the question is the same. */
function toComparable({ text, ...rest }: QuestionContent): string {
  return JSON.stringify([text.replace(/\s+/g, ' ').trim(), rest]);
}
