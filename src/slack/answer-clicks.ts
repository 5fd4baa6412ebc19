import { z } from 'zod';
import type { Log } from '../log.ts';
import { retry } from '../retry.ts';
import type { Respond } from './bolt-app.ts';
import type { FindInstallation } from './installation.ts';
import { installationOf } from './installations/request-source.ts';
import type { Messenger } from './messenger.ts';
import type { Content } from './views/content.ts';
import { POSTS_IN_CHANNEL } from './web/limits.ts';
import { SlackRateLimitedError, toCallCode } from './web/slack-errors.ts';

/**
 * The one way to answer a click, a shortcut, a command or a modal after it was acknowledged. `body`: what Slack sent.
 * Nothing of it throws. Where Slack's limits leave no room, it waits for up to half a minute.
 */
export type AnswerClicks = {
  /**
   * Says something where the click was: to the clicker alone, in the thread of the click if it was in one. Where Slack
   * does not let us, the clicker gets a direct message. False: it arrived nowhere, which is logged.
   */
  say(body: object, content: Content, options?: SayOptions): Promise<boolean>;
  /** Puts it in the place of the message that was clicked. False: that one stays as it is. */
  replace(body: object, content: Content, options?: Pick<SayOptions, 'plain'>): Promise<boolean>;
};

/** `place`: where it began, if `body` is of a modal. `plain`: the same, for where Slack does not take the newer blocks. */
type SayOptions = { place?: ClickPlace; plain?: Content | undefined };

type Ports = {
  messenger: Messenger;
  findInstallation: FindInstallation;
  respond: Respond;
  log: Log;
};

/** One way to show something. False, or thrown: it was not shown. */
type Way = (content: Content) => Promise<boolean>;

/** How much longer one answer may wait for room. */
type Patience = { leftMs: number };

/** Somebody who sees nothing for longer has clicked again. */
const MAX_WAIT_MS = 30_000;

/** A channel has room for one message more after this time. */
const LEAST_WAIT_MS = POSTS_IN_CHANNEL.perMs / POSTS_IN_CHANNEL.limit;

export function createAnswerClicks({ messenger, findInstallation, respond, log }: Ports): AnswerClicks {
  async function tryWay(way: Way, contents: Content[], patience: Patience): Promise<boolean> {
    for (const content of contents) {
      try {
        if (await waitForRoom(() => way(content), patience)) return true;
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
    async say(body, content, { place = readClickPlace(body), plain } = {}) {
      const patience = { leftMs: MAX_WAIT_MS };
      for (const way of waysTo(body, place)) {
        if (await tryWay(way, plain === undefined ? [content] : [content, plain], patience)) return true;
      }
      log.warn('answer to a click not shown anywhere');
      return false;
    },
    async replace(body, content, { plain } = {}) {
      const clicked = readClickedMessage(body);
      if (clicked === undefined) return false;
      const { channel, ts, isEphemeral, responseUrl } = clicked;
      const change = async (changed: Content): Promise<boolean> => {
        if (isEphemeral) return respond(responseUrl, { replace_original: true, ...changed });
        const { workspace } = await installationOf(body, { findInstallation });
        await messenger.update({ workspace, channel }, ts, changed);
        return true;
      };
      return tryWay(change, plain === undefined ? [content] : [content, plain], { leftMs: MAX_WAIT_MS });
    },
  };
}

/** Tries again when Slack's limits have room, as long as the patience lasts. */
function waitForRoom(show: () => Promise<boolean>, patience: Patience): Promise<boolean> {
  return retry(show, (error) => {
    if (!(error instanceof SlackRateLimitedError)) return undefined;
    const waitMs = Math.max(error.retryAfterMs ?? 0, LEAST_WAIT_MS);
    if (waitMs > patience.leftMs) return undefined;
    patience.leftMs -= waitMs;
    return waitMs;
  });
}

/** Of an interaction, or of a command. */
function readUser(body: object): string {
  const { user, user_id } = body as { user?: { id?: unknown }; user_id?: unknown };
  return String(user?.id ?? user_id ?? '');
}

// Where somebody clicked, chose a shortcut, or gave a command: what that answers is shown there.
/**
 * Either a thread, or a channel's root. Neither is known of what was pressed in a modal.
 * `responseUrl`: set only where Slack shows what is posted to it, which it does at the channel's root: never in a thread,
 * and after a click in a direct message nowhere (observed on real Slack, not documented).
 */
export type ClickPlace =
  | { responseUrl: string; channel?: undefined }
  | { channel: string; threadTs?: string | undefined; responseUrl?: undefined }
  | { channel?: undefined; responseUrl?: undefined };

/** The message that was clicked. One that only this person sees can be changed by its response_url alone. */
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

/** `body`: of a click, a shortcut or a command, as Slack sent it. */
export function readClickPlace(body: object): ClickPlace {
  const { data } = schema.safeParse(body);
  if (data === undefined) return {};
  const { command, response_url: responseUrl, message } = data;
  if (command !== undefined) return { responseUrl };
  const { channel, ts, isEphemeral } = toMessage(data);
  const rootTs = data.container?.thread_ts ?? message?.thread_ts;
  // A root names itself as its thread: it was clicked in the channel, as far as anybody can tell.
  if (rootTs !== undefined && rootTs !== ts) return { channel, threadTs: rootTs };
  // Nothing hangs below a message that only one person sees.
  if (channel.startsWith('D')) return { channel, threadTs: isEphemeral || ts === '' ? undefined : ts };
  return responseUrl === '' ? {} : { responseUrl };
}

/** Undefined: no message was clicked. */
function readClickedMessage(body: object): ClickedMessage | undefined {
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

/** In one word or two, for the private_metadata of a modal that is opened from there. */
export function encodeClickPlace(place: ClickPlace): string {
  if (place.channel === undefined) return place.responseUrl ?? '';
  return place.threadTs === undefined ? place.channel : `${place.channel} ${place.threadTs}`;
}

/** Reads encodeClickPlace; and what earlier releases wrote, which was the response_url alone. */
export function parseClickPlace(text: string): ClickPlace {
  if (text === '') return {};
  if (URL.canParse(text)) return { responseUrl: text };
  const [channel = '', threadTs] = text.split(' ');
  return { channel, threadTs };
}
