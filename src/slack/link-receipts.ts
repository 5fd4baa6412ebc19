import type { AccountLink } from '../identity/account-link.ts';
import type { Channels } from './channels.ts';
import type { FindInstallation } from './installation.ts';
import type { SlackCaller } from './slack-caller.ts';
import { buildReceipt } from './views/sign-in.ts';

/** Tells people in a direct message that they are signed in, and as whom, with the way back. */
export function createLinkReceipts(ports: {
  call: SlackCaller;
  findInstallation: FindInstallation;
  channels: Channels;
}): {
  send(link: AccountLink): Promise<void>;
} {
  return {
    async send({ workspace, user, accountName, purpose }) {
      const { botToken } = await ports.findInstallation(workspace);
      const channel = await ports.channels.directMessage(workspace, user);
      await ports.call('chat.postMessage', botToken, { channel, ...buildReceipt(accountName, purpose) }, 'notice');
    },
  };
}
