import type { Context } from '@slack/bolt';
import { z } from 'zod';
import { type Question, toThreadKey } from '../../conversation/question.ts';
import type { Events } from '../bolt-app.ts';
import type { Installation } from '../installation.ts';
import { installationOf } from '../request-source.ts';
import { readMessage, toQuestion } from '../text-in/read-message.ts';
import type { ListenerPorts, LoneFile } from './ports.ts';

/**
 * Direct messages, mentions, and further messages of people who have asked us in a thread. In channels where the policy
 * allows it, also every message that begins a thread. A mention arrives twice, as `app_mention` and as `message`, in
 * any order, and Slack may resend any event: all of them have the same id.
 */
export function registerMessage(events: Events, ports: ListenerPorts): void {
  const listen = async ({ event, body, context }: { event: unknown; body: object; context: Context }) => {
    const installation = await installationOf(body, ports);
    const isSharedChannel = 'is_ext_shared_channel' in body && body.is_ext_shared_channel === true;
    const addressed = readAddressed(event, isSharedChannel, installation);
    const { data: edited } = editedSchema.safeParse(event);
    if (!addressed || isForgotten(edited, ports.now())) return;
    if (!(await isForUs(addressed, ports))) return;
    // Only a resent event can arrive after the message was deleted.
    if (context.retryNum && (await ports.once.peek(toDeletedKey(addressed.id))) !== undefined) return;
    const file = findLoneFile(event, addressed.question);
    if (file) return ports.inBackground(() => takeFile(addressed, file, ports));
    const accepted = await ports.accept(addressed.id, withDelay(addressed.question, body, ports.now()));
    if (edited && accepted === 'new') await noteTakenEdit(addressed.id, edited.edited.ts, ports);
  };
  events.event('message', listen);
  events.event('app_mention', listen);
}

const loneSchema = z.object({ files: z.tuple([z.object({ id: z.string(), name: z.string() })]) });

/** The file, if a direct message contains nothing else. */
function findLoneFile(event: unknown, { audience, text, links }: Question): LoneFile | undefined {
  if (audience !== 'person' || text !== '' || links.length > 0) return undefined;
  return loneSchema.safeParse(event).data?.files[0];
}

/** If the process ends meanwhile, the file is lost, but no question is. */
async function takeFile({ id, question }: Addressed, file: LoneFile, ports: ListenerPorts): Promise<void> {
  const isTaken = await ports.takeFile(question, file).catch((error: unknown) => {
    ports.log.warn({ err: error }, 'file not looked at');
    return false;
  });
  if (!isTaken) await ports.accept(id, question);
}

/** The mark of a question that was deleted before its own event was accepted: see changed-messages.ts. */
export function toDeletedKey(turnId: string): string {
  return `deleted:${turnId}`;
}

/** The mark of an edit that needs no offer to ask again. */
export function toEditKey(turnId: string, editedTs: string): string {
  return `edit-offer:${turnId}:${editedTs}`;
}

/** Slack resends an event for an hour at most. */
export const EDIT_KEPT_MS = 2 * 3_600_000;

/** The turn has this edit already: Slack tells of it twice if it adds a mention, and may resend either event. */
export async function noteTakenEdit(turnId: string, editedTs: string, { once, now }: ListenerPorts): Promise<void> {
  await once.put(toEditKey(turnId, editedTs), '', now() + EDIT_KEPT_MS);
}

/** Turns are kept for thirty days. */
const KNOWN_MS = 29 * 24 * 3_600_000;

/**
 * Slack sends a mention again when its message is edited, however old it is. Its turn may not be stored any more, so it
 * would be answered again. If the edit made it a question, changed-messages.ts accepts it.
 */
function isForgotten(edited: { ts: string } | undefined, now: number): boolean {
  return edited !== undefined && now - Number(edited.ts) * 1_000 > KNOWN_MS;
}

/**
 * With *Delayed Events* Slack tries for a day to deliver events that we did not take. After half a working day the
 * asker has probably found another way. Their question gets a line with a button to ask it anyway.
 */
export const LATEST_DELIVERY_MS = 4 * 3_600_000;

/** `event_time`: when the message was written or edited (epoch s). It stays the same when Slack resends the event. */
function withDelay(question: Question, body: object, now: number): Question {
  const isLate = 'event_time' in body && now - Number(body.event_time) * 1_000 > LATEST_DELIVERY_MS;
  return isLate ? { ...question, isLate } : question;
}

const editedSchema = z.object({ ts: z.string(), edited: z.object({ ts: z.string() }) });

/**
 * Direct messages and mentions are for us. Messages that mention only others are not: people also talk to each other. A
 * message that begins a thread is not for us either if it has no text, or if other organisations read the channel.
 */
export async function isForUs(
  { isAddressed, isMentioningOthers, question }: Addressed,
  ports: ListenerPorts,
): Promise<boolean> {
  if (isAddressed) return true;
  const { startsThread, threadTs, channel, asker, text, isSharedChannel } = question;
  if (!threadTs || isMentioningOthers) return false;
  const { reply } = await ports.channelSettings(question);
  if (startsThread) return reply === 'all' && text !== '' && !isSharedChannel;
  if (reply === 'mentions') return false;
  return ports.threads.isEngaged(toThreadKey({ team: asker.team, channel, threadTs }), asker.user);
}

const schema = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  user: z.string().min(1),
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: z
    .string()
    .regex(/^\d+\.\d+$/)
    .optional(),
  bot_id: z.string().optional(),
  app_id: z.string().optional(),
  hidden: z.boolean().optional(),
});

/** Replies also sent to the channel, and messages with files, are questions too. Other subtypes are not. */
const SUBTYPES = new Set<string | undefined>([undefined, 'file_share', 'thread_broadcast']);

/** Slack itself also writes in the direct messages of apps. */
const SLACK_USERS = new Set(['USLACK', 'USLACKBOT']);

export type Addressed = { id: string; question: Question; isAddressed: boolean; isMentioningOthers: boolean };

/**
 * A message event as a question. Undefined: nobody asked anything (a bot, an edit, somebody who joined). `isAddressed`:
 * the message mentions us, or is a direct message.
 */
export function readAddressed(
  event: unknown,
  isSharedChannel: boolean,
  installation: Installation,
): Addressed | undefined {
  const { data: message } = schema.safeParse(event);
  if (!message || !isPersonal(message, installation)) return undefined;
  const { team, workspace, botUserId } = installation;
  const { channel, ts, thread_ts: threadTs, user, channel_type: channelType } = message;
  const reading = readMessage(event, { botUserId });
  const startsThread = threadTs === undefined || threadTs === ts;
  const place = {
    channel,
    origin: 'message' as const,
    ...(channelType === 'im' && { audience: 'person' as const }),
    ...{ threadTs: threadTs ?? ts, messageTs: ts, startsThread },
  };
  const question = toQuestion(reading, place, { person: { team, user }, workspace });
  const isAddressed = question.audience === 'person' || reading.mentionsBot || message.type === 'app_mention';
  return {
    id: `message:${team}:${channel}:${ts}`,
    isAddressed,
    isMentioningOthers: reading.mentionedUsers.length > 0,
    question: {
      ...question,
      ...(isSharedChannel && { isSharedChannel }),
      ...(startsThread && !isAddressed && { isUnaddressed: true }),
    },
  };
}

function isPersonal(message: z.infer<typeof schema>, { botUserId }: Installation): boolean {
  if (!SUBTYPES.has(message.subtype) || message.hidden) return false;
  if (message.bot_id || message.app_id) return false;
  return message.user !== botUserId && !SLACK_USERS.has(message.user);
}
