import type { App, SlashCommand } from '@slack/bolt';
import type { Caller } from '../../../governance/is-admin.ts';
import { escapeMrkdwn } from '../../text-out/escape-mrkdwn.ts';
import {
  ADMIN_USAGE,
  buildAdminSignIn,
  buildAdminText,
  buildSignedInAlready,
  NOT_SET_UP,
} from '../../views/admin/admin-messages.ts';
import type { Content } from '../../views/content.ts';
import type { AdminPorts } from './admin-ports.ts';
import { openAllocationOf } from './allocation/open.ts';
import { parseAdminCommand } from './command-text.ts';
import { openLimitOf } from './limit/open.ts';
import { sayList } from './lists/admin-list.ts';
import { AGENTS } from './lists/agents.ts';
import { AUDIT, toAuditQuery } from './lists/audit.ts';
import { ENVIRONMENTS } from './lists/environments.ts';
import { LIMITS } from './lists/limits.ts';
import { USAGE } from './lists/usage.ts';
import { admit } from './modal.ts';
import { findNearWord } from './near-word.ts';
import { obeyReview } from './review/review.ts';
import { createSay, type Say, startSaying, toReplyTo } from './say.ts';
import { openSearch } from './search/open.ts';

/**
 * `/assistant-admin` with the words of ADMIN_USAGE, for admins alone. It is acknowledged without a
 * word: Slack offers no way to replace or remove what a command is acknowledged with.
 */
export function registerAdminCommand(app: App, ports: AdminPorts | undefined): void {
  app.command('/assistant-admin', async ({ command, ack }) => {
    if (!ports) return ack({ response_type: 'ephemeral', text: NOT_SET_UP });
    await ack();
    const say = createSay(command, ports);
    startSaying(say, ports, () => obey(command, say, ports));
  });
}

async function obey(command: SlashCommand, say: Say, ports: AdminPorts): Promise<void> {
  const { word, rest, typed } = parseAdminCommand(command.text);
  const given = { body: command, user: command.user_id };
  const opening = { ...given, say, replyTo: toReplyTo(command) };
  // These open a modal, which has to come first: who gave the command is checked behind it.
  if (word === 'limit') return rest === '' ? openSearch(word, opening, ports) : openLimitOf(rest, opening, ports);
  if (word === 'allocation') {
    return rest === '' ? openSearch(word, opening, ports) : openAllocationOf(rest, opening, ports);
  }
  const caller = await admit(given, ports);
  const first = { query: rest, page: 0 };
  const asked = { caller, say };
  switch (word) {
    case 'agents':
      // What is in quotes there is a value of a filter, or a name that looks like one.
      return sayList(AGENTS, { query: typed, page: 0 }, asked, ports);
    case 'environments':
      return sayList(ENVIRONMENTS, first, asked, ports);
    case 'usage':
      return sayList(USAGE, first, asked, ports);
    case 'audit':
      return sayList(AUDIT, { query: toAuditQuery(command.text, rest), page: 0 }, asked, ports);
    case 'limits':
      return sayList(LIMITS, first, asked, ports);
    case 'review':
      return obeyReview(rest, { caller, say }, ports);
    case 'sign-in':
      return void (await say(await offerSignIn(caller, ports)));
    case '':
    case 'help':
      return void (await say(buildAdminText(escapeMrkdwn(ADMIN_USAGE))));
    default:
      await say(buildAdminText(escapeMrkdwn(describeUnknown(word))));
  }
}

async function offerSignIn(caller: Caller, ports: AdminPorts): Promise<Content> {
  const account = await ports.signedInAs(caller);
  return account === undefined
    ? buildAdminSignIn(ports.signInVariant)
    : buildSignedInAlready(ports.signInVariant, account);
}

function describeUnknown(word: string): string {
  const unknown = `I do not know \`${word.slice(0, 50).replaceAll('`', '')}\`.`;
  const meant = findNearWord(word);
  if (meant === undefined) return `${unknown}\n${ADMIN_USAGE}`;
  return `${unknown} Did you mean \`${meant}\`? \`/assistant-admin help\` lists everything.`;
}
