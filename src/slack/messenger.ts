import type { PartKey } from '../conversation/reply.ts';
import { FIND_AFTER_MS } from '../conversation/resume-turn.ts';
import { TransientError } from '../errors.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { Channels } from './channels.ts';
import { findMessage, toMetadata } from './find-message.ts';
import type { FindInstallation } from './installation.ts';
import type { Content } from './views/content.ts';
import type { CallSlack, Importance } from './web/methods.ts';

/** `workspace`: of the installation. `threadTs`: of the root of a thread; without one it is said in the channel. */
type Place = { workspace: string; channel: string; threadTs?: string | undefined };

type Message = Content & { metadata?: ReturnType<typeof toMetadata> };

type Recipient = { workspace: string; user: string };

/**
 * The one way to say something that is not the reply of a turn. All of it throws what CallSlack does, and
 * UnknownWorkspaceError. `importance`: `answer` unless it says otherwise.
 */
export type Messenger = {
  /** Returns the ts of the message. */
  post(place: Place, content: Content, importance?: Importance): Promise<string>;
  /** In the direct messages of the app with a person. */
  postDirect(recipient: Recipient, content: Content, importance?: Importance): Promise<void>;
  /** Seen by one person alone. In a direct message Slack accepts it, and shows it to nobody. */
  postEphemeral(place: Place, user: string, content: Content, importance?: Importance): Promise<void>;
  /** Takes the place of a message of ours. */
  update(place: Place, ts: string, content: Content, importance?: Importance): Promise<void>;
  /**
   * Posts it as a notice unless it is there already, as its metadata tells; to be called again after a TransientError,
   * by whichever replica.
   */
  postOnce(message: OnceMessage, guard: OnceGuard): Promise<void>;
};

type OnceMessage = {
  channel: string;
  content: Content;
  /** Found again by this. */
  key: PartKey;
  /** It cannot have been posted before this; epoch ms. */
  since: number;
};

type OnceGuard = {
  /** Whether nobody has tried to post it before. */
  isFirst(): Promise<boolean>;
  /** Called last before it is posted: what this throws keeps it from being said. */
  check(): void;
  wait(ms: number): Promise<void>;
};

/** Nothing of a message may fetch anything. */
export const QUIET = { unfurl_links: false, unfurl_media: false } as const;

export function createMessenger(ports: {
  call: CallSlack;
  findInstallation: FindInstallation;
  channels: Pick<Channels, 'directMessage'>;
}): Messenger {
  const { call, findInstallation, channels } = ports;

  async function post(place: Place, message: Message, importance?: Importance): Promise<string> {
    const { botToken } = await findInstallation(place.workspace);
    const { ts } = await call('chat.postMessage', botToken, { ...toWhere(place), ...message, ...QUIET }, importance);
    return ts ?? '';
  }

  return {
    post,
    async postDirect({ workspace, user }, content, importance) {
      const channel = await channels.directMessage(workspace, user);
      await post({ workspace, channel }, content, importance);
    },
    async postEphemeral(place, user, content, importance) {
      const { botToken } = await findInstallation(place.workspace);
      await call('chat.postEphemeral', botToken, { ...toWhere(place), user, ...content }, importance);
    },
    async update({ workspace, channel }, ts, content, importance) {
      const { botToken } = await findInstallation(workspace);
      await call('chat.update', botToken, { channel, ts, ...content }, importance);
    },
    async postOnce({ channel, content, key, since }, { isFirst, check, wait }) {
      const isThere = () => findMessage(ports, { step: 'placing', channel, placingAt: since }, key);
      if (!(await isFirst()) && (await isThere()) !== undefined) return;
      check();
      try {
        await post({ workspace: key.workspace, channel }, { ...content, metadata: toMetadata(key) }, 'notice');
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) throw error;
        // A message that was just made may not be found yet. The next attempt looks.
        await wait(FIND_AFTER_MS);
        throw new TransientError('part_in_doubt', 'the message may or may not exist', { cause: error });
      }
    },
  };
}

function toWhere({ channel, threadTs }: Place): { channel: string; thread_ts?: string } {
  return { channel, ...(threadTs !== undefined && threadTs !== '' && { thread_ts: threadTs }) };
}
