import type { z } from 'zod';
import { checkMessage } from '../blocks/check-message.ts';
import { isObject } from '../json.ts';
import type { Block, Json, Message, Metadata } from '../records.ts';
import { flag, object, objects, SlackApiError, text } from './method.ts';

/** The arguments that describe a message, common to posting and changing one. */
export const CONTENT = {
  text: text.optional(),
  blocks: objects.optional(),
  markdown_text: text.optional(),
  metadata: object.optional(),
  parse: text.optional(),
  link_names: flag.optional(),
  as_user: flag.optional(),
};

type Content = Pick<Message, 'text' | 'blocks' | 'metadata'>;

const MAX_MARKDOWN_TEXT = 12_000;

/** Checks everything that Slack checks about a message before it looks at the channel. */
export function readContent(args: z.infer<z.ZodObject<typeof CONTENT>>): Content {
  if (args.markdown_text !== undefined && (args.text !== undefined || args.blocks !== undefined)) {
    throw new SlackApiError('markdown_text_conflict');
  }
  if ((args.markdown_text?.length ?? 0) > MAX_MARKDOWN_TEXT) throw new SlackApiError('msg_too_long');
  if (!args.text && !args.blocks?.length && !args.markdown_text) throw new SlackApiError('no_text');
  const blocks = args.markdown_text === undefined ? args.blocks : [{ type: 'markdown', text: args.markdown_text }];
  if (blocks) requireBlocks(blocks);
  const metadata = readMetadata(args.metadata);
  return {
    text: args.text ?? args.markdown_text ?? '',
    blocks: (blocks ?? []) as Block[],
    ...(metadata && { metadata }),
  };
}

export function requireBlocks(blocks: unknown): void {
  const refusal = checkMessage(blocks);
  if (refusal === undefined) return;
  const { error, messages } = refusal;
  throw new SlackApiError(error, { errors: messages, response_metadata: { messages } });
}

/** https://docs.slack.dev/messaging/message-metadata */
export function readMetadata(metadata: Json | undefined): Metadata | undefined {
  if (metadata === undefined || Object.keys(metadata).length === 0) return undefined;
  const { event_type, event_payload } = metadata;
  if (typeof event_type !== 'string' || event_type === '')
    throw new SlackApiError('metadata_must_be_sent_with_event_type');
  if (!isObject(event_payload)) throw new SlackApiError('invalid_metadata_format');
  return { event_type, event_payload };
}
