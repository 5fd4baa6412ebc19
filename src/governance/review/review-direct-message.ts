// Direct messages to one admin, retried where Slack limits the rate or does not answer.
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Log } from '../../log.ts';
import { retry } from '../../retry.ts';
import type { Channels } from '../../slack/channels.ts';
import type { Messenger } from '../../slack/messenger.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { Caller } from '../shell/admin-rules.ts';

export type DirectMessage = {
  /** Resolves with the message's ts. Throws an error of CallSlack where it cannot be sent for a minute or so. */
  post(content: Content): Promise<string>;
  /** Takes the place of the message. Never throws: one that is gone, or cannot be changed, is left. */
  change(ts: string, content: Content): Promise<void>;
  /** The same where the next one says more: at once or not at all. */
  touch(ts: string, content: Content): Promise<void>;
};

/** `stopping`: aborted when the app begins to stop. */
export type DirectPorts = {
  messenger: Pick<Messenger, 'post' | 'update'>;
  channels: Pick<Channels, 'directMessage'>;
  stopping: AbortSignal;
  log: Log;
};

const MAX_ATTEMPTS = 5;
const MAX_WAIT_MS = 20_000;
const FIRST_WAIT_MS = 1_000;

/** In the direct messages of the app with the admin. Throws an error of CallSlack where there are none. */
export async function openDirectMessage({ workspace, user }: Caller, ports: DirectPorts): Promise<DirectMessage> {
  const { messenger, log, stopping } = ports;
  const place = { workspace, channel: await ports.channels.directMessage(workspace, user) };
  const told = (error: unknown) => log.warn({ code: toCallCode(error) }, 'review message not changed');
  return {
    post: (content) => withPatience(() => messenger.post(place, content), stopping),
    change: (ts, content) => withPatience(() => messenger.update(place, ts, content), stopping).catch(told),
    touch: (ts, content) => messenger.update(place, ts, content, 'extra').catch(told),
  };
}

/** A message whose outcome is unknown is sent again: at least once. Stops retrying when the app stops. */
function withPatience<T>(attempt: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  return retry(attempt, (error, failures) => {
    const isWorthIt = error instanceof TransientError || error instanceof OutcomeUnknownError;
    if (!isWorthIt || failures === MAX_ATTEMPTS || stopping.aborted) return undefined;
    const waitMs = error instanceof TransientError ? error.retryAfterMs : undefined;
    return Math.min(MAX_WAIT_MS, waitMs ?? FIRST_WAIT_MS * failures);
  });
}
