import type { PartKey } from '../conversation/reply.ts';
import { FIND_AFTER_MS } from '../conversation/resume-turn.ts';
import type { PlacedMessage } from '../conversation/turn.ts';
import { TransientError } from '../errors.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { Channels } from './channels.ts';
import { findMessages, toMetadata } from './find-message.ts';
import type { FindInstallation } from './installation.ts';
import type { Content } from './views/content.ts';
import type { CallSlack, Importance } from './web/methods.ts';

/** `workspace`: of the installation. `threadTs`: the root of a thread; without one the message goes to the channel. */
type Place = { workspace: string; channel: string; threadTs?: string | undefined };

/** `metadata`: identifies the message when it is searched for. */
type Message = Content & { metadata?: ReturnType<typeof toMetadata> };

type Recipient = { workspace: string; user: string };

type OnceMessage = {
  channel: string;
  content: Content;
  key: PartKey;
  /** The notice cannot have been posted before this time (epoch ms). */
  since: number;
};

type OnceGuard = {
  /** Whether nobody has tried to post it yet. */
  isFirst(): Promise<boolean>;
  /** Called right before posting. It can throw to prevent the post. */
  check(): void;
  wait(ms: number): Promise<void>;
};

/** Links in messages are not fetched for previews. */
const QUIET = { unfurl_links: false, unfurl_media: false } as const;

export type Messenger = ReturnType<typeof createMessenger>;

/** Posts and changes messages. Throws what CallSlack throws, and UnknownWorkspaceError. */
export function createMessenger(ports: {
  call: CallSlack;
  findInstallation: FindInstallation;
  channels: Pick<Channels, 'directMessage'>;
}) {
  const { call, channels } = ports;

  /** Returns the ts of the message. */
  async function post(place: Place, message: Message, importance?: Importance): Promise<string> {
    const args = { ...toWhere(place), ...message, ...QUIET };
    const { ts } = await call('chat.postMessage', place.workspace, args, importance);
    return ts ?? '';
  }

  return {
    post,
    /** In the direct messages between the app and a person. */
    async postDirect(
      { workspace, user }: Recipient,
      content: Content,
      importance?: Importance,
    ): Promise<PlacedMessage> {
      const channel = await channels.directMessage(workspace, user);
      return { channel, ts: await post({ workspace, channel }, content, importance) };
    },
    /** Only this person sees it. In direct messages Slack accepts it, but does not show it. */
    async postEphemeral(place: Place, user: string, content: Content, importance?: Importance): Promise<void> {
      await call('chat.postEphemeral', place.workspace, { ...toWhere(place), user, ...content }, importance);
    },
    /** Replaces a message of ours. */
    async update({ workspace, channel }: Place, ts: string, message: Message, importance?: Importance): Promise<void> {
      await call('chat.update', workspace, { channel, ts, ...message }, importance);
    },
    /** Posts a notice unless its metadata shows that it exists. Any replica may repeat it after a TransientError. */
    async postOnce({ channel, content, key, since }: OnceMessage, { isFirst, check, wait }: OnceGuard): Promise<void> {
      const find = () => findMessages(ports, { step: 'placing', channel, placingAt: since }, key);
      if (!(await isFirst()) && (await find()).length > 0) return;
      check();
      try {
        await post({ workspace: key.workspace, channel }, { ...content, metadata: toMetadata(key) }, 'notice');
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) throw error;
        // A new message may not be found yet. The next attempt searches for it.
        await wait(FIND_AFTER_MS);
        throw new TransientError('part_in_doubt', 'the message may or may not exist', { cause: error });
      }
    },
  };
}

function toWhere({ channel, threadTs }: Place): { channel: string; thread_ts?: string } {
  return { channel, ...(threadTs !== undefined && threadTs !== '' && { thread_ts: threadTs }) };
}
