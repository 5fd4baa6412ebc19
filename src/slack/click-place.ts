// Where somebody clicked, chose a shortcut, or gave a command: what that answers is shown there.
import { z } from 'zod';

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
export type ClickedMessage = { channel: string; ts: string; isEphemeral: boolean; responseUrl: string };

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
