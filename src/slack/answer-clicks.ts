import { z } from 'zod';
import type { Respond } from './bolt-app.ts';
import { installationOf, readUser } from './request-source.ts';
import type { Uses } from './services.ts';
import type { Content } from './views/content.ts';
import { POSTS_IN_CHANNEL } from './web/limits.ts';
import { type Patience, patiently, toCallCode } from './web/slack-errors.ts';

/** `place`: where the modal was opened, if `body` is of one. `plain`: tried if Slack refuses the newer blocks. */
type SayOptions = { place?: ClickPlace; plain?: Content | undefined };

/**
 * Where somebody clicked: a thread, or the root of a channel. Unknown for clicks in a modal. `responseUrl` is set only
 * where Slack shows what is posted to it: at the root of a channel, not in threads and not after a click in a direct
 * message (observed, not documented).
 */
export type ClickPlace =
  | { responseUrl: string; channel?: undefined }
  | { channel: string; threadTs?: string | undefined; responseUrl?: undefined }
  | { channel?: undefined; responseUrl?: undefined };

type Needs = Uses<'messenger' | 'findInstallation' | 'log'> & { respond: Respond };

/** One way to show something. Returns false or throws if it was not shown. */
type Way = (content: Content) => Promise<boolean>;

/** After this time without an answer people click again. */
const MAX_WAIT_MS = 30_000;

/** For one answer: all ways that are tried share the waiting time. */
function createPatience(): Patience {
  return {
    attempts: Number.POSITIVE_INFINITY,
    // After this time a channel has room for one more message.
    leastMs: POSTS_IN_CHANNEL.perMs / POSTS_IN_CHANNEL.limit,
    longestMs: MAX_WAIT_MS,
    left: { ms: MAX_WAIT_MS },
  };
}

export type AnswerClicks = ReturnType<typeof createAnswerClicks>;

/**
 * Answers a click, a shortcut, a command or a modal after it was acknowledged. `body`: what Slack sent. Never throws. If
 * Slack's limits leave no room, it waits for up to half a minute.
 */
export function createAnswerClicks({ messenger, findInstallation, respond, log }: Needs) {
  async function tryWay(way: Way, contents: Content[], patience: Patience): Promise<boolean> {
    for (const content of contents) {
      try {
        if (await patiently(() => way(content), patience)) return true;
      } catch (error) {
        log.warn({ code: toCallCode(error) }, 'answer to a click not shown there');
      }
    }
    return false;
  }

  function waysTo(body: object, place: ClickPlace): Way[] {
    const there = async (content: Content): Promise<boolean> => {
      if (place.responseUrl !== undefined) {
        const alone = { response_type: 'ephemeral', replace_original: false };
        return respond(place.responseUrl, { ...alone, ...content });
      }
      if (place.channel === undefined) return false;
      const { workspace } = await installationOf(body, { findInstallation });
      const { channel, threadTs } = place;
      if (channel.startsWith('D')) await messenger.post({ workspace, channel, threadTs }, content);
      else await messenger.postEphemeral({ workspace, channel, threadTs }, readUser(body), content);
      return true;
    };
    const inDirectMessage = async (content: Content): Promise<boolean> => {
      const { workspace } = await installationOf(body, { findInstallation });
      await messenger.postDirect({ workspace, user: readUser(body) }, content);
      return true;
    };
    return [there, inDirectMessage];
  }

  return {
    /**
     * Says something where the click was, only to the clicker, in the thread if the click was in one. If Slack does not
     * allow that, the clicker gets a direct message. False: it was not shown anywhere, which is logged.
     */
    async say(
      body: object,
      content: Content,
      { place = readClickPlace(body), plain }: SayOptions = {},
    ): Promise<boolean> {
      const patience = createPatience();
      for (const way of waysTo(body, place)) {
        if (await tryWay(way, plain === undefined ? [content] : [content, plain], patience)) return true;
      }
      log.warn('answer to a click not shown anywhere');
      return false;
    },
    /** Replaces the message that was clicked. False: that message stays as it is. */
    async replace(body: object, content: Content, { plain }: Pick<SayOptions, 'plain'> = {}): Promise<boolean> {
      const clicked = readClickedMessage(body);
      if (clicked === undefined) return false;
      const { channel, ts, isEphemeral, responseUrl } = clicked;
      const change = async (changed: Content): Promise<boolean> => {
        if (isEphemeral) return respond(responseUrl, { replace_original: true, ...changed });
        const { workspace } = await installationOf(body, { findInstallation });
        await messenger.update({ workspace, channel }, ts, changed);
        return true;
      };
      return tryWay(change, plain === undefined ? [content] : [content, plain], createPatience());
    },
  };
}

/** `body`: a click, a shortcut or a command, as Slack sent it. */
export function readClickPlace(body: object): ClickPlace {
  const { data } = schema.safeParse(body);
  if (data === undefined) return {};
  const { command, response_url: responseUrl, message } = data;
  if (command !== undefined) return { responseUrl };
  const { channel, ts, isEphemeral } = toMessage(data);
  const rootTs = data.container?.thread_ts ?? message?.thread_ts;
  // The root of a thread names itself as its thread: take it as clicked in the channel.
  if (rootTs !== undefined && rootTs !== ts) return { channel, threadTs: rootTs };
  // An ephemeral message has no thread.
  if (channel.startsWith('D')) return { channel, threadTs: isEphemeral || ts === '' ? undefined : ts };
  return responseUrl === '' ? {} : { responseUrl };
}

/** For the private_metadata of a modal. */
export function encodeClickPlace(place: ClickPlace): string {
  if (place.channel === undefined) return place.responseUrl ?? '';
  return place.threadTs === undefined ? place.channel : `${place.channel} ${place.threadTs}`;
}

/** Reads what encodeClickPlace writes. */
export function parseClickPlace(text: string): ClickPlace {
  if (text === '') return {};
  if (URL.canParse(text)) return { responseUrl: text };
  const [channel = '', threadTs] = text.split(' ');
  return { channel, threadTs };
}

/** The message that was clicked. An ephemeral one can only be changed through its response_url. */
type ClickedMessage = { channel: string; ts: string; isEphemeral: boolean; responseUrl: string };

const schema = z.object({
  command: z.string().optional(),
  response_url: z.string().default(''),
  channel: z.object({ id: z.string() }).nullish(),
  container: z
    .object({
      channel_id: z.string().optional(),
      message_ts: z.string().optional(),
      thread_ts: z.string().optional(),
      is_ephemeral: z.boolean().default(false),
    })
    .optional(),
  message: z.object({ ts: z.string().optional(), thread_ts: z.string().optional() }).nullish(),
});

/** Undefined: no message was clicked. */
export function readClickedMessage(body: object): ClickedMessage | undefined {
  const { data } = schema.safeParse(body);
  const clicked = data && toMessage(data);
  return clicked?.ts && clicked.channel ? clicked : undefined;
}

function toMessage({ container, channel, message, response_url: responseUrl }: z.infer<typeof schema>): ClickedMessage {
  return {
    channel: container?.channel_id ?? channel?.id ?? '',
    ts: container?.message_ts ?? message?.ts ?? '',
    isEphemeral: container?.is_ephemeral ?? false,
    responseUrl,
  };
}
