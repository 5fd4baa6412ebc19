import type { Caller } from '../../../governance/is-admin.ts';
import type { Log } from '../../../log.ts';
import type { Channels } from '../../channels.ts';
import type { FindInstallation } from '../../installation.ts';
import type { SlackCaller } from '../../slack-caller.ts';
import { toCallCode } from '../../slack-errors.ts';
import type { Content } from '../../views/content.ts';

export type WritePorts = {
  /** Slack's Web API, for messages to admins. */
  call: SlackCaller;
  channels: Pick<Channels, 'directMessage'>;
  findInstallation: FindInstallation;
  log: Log;
};

type Recipient = Pick<Caller, 'workspace' | 'user'>;

/** Writes to an admin, who did not ask for it now. Throws the errors of SlackCaller. */
export async function writeTo(
  { workspace, user }: Recipient,
  { text, blocks }: Content,
  { call, channels, findInstallation }: WritePorts,
): Promise<void> {
  const [{ botToken }, channel] = await Promise.all([
    findInstallation(workspace),
    channels.directMessage(workspace, user),
  ]);
  await call('chat.postMessage', botToken, { channel, text, blocks, unfurl_links: false, unfurl_media: false });
}

/** The same where nothing else depends on it. Never throws; false: it did not arrive, which is logged. */
export async function tryToWrite(recipient: Recipient, content: Content, ports: WritePorts): Promise<boolean> {
  try {
    await writeTo(recipient, content, ports);
    return true;
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'admin not written to');
    return false;
  }
}
