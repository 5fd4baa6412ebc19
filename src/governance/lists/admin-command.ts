import type { Person } from '../../conversation/person.ts';
import type { LinkFlow } from '../../identity/link-flow.ts';
import { parseAdminCommand } from '../../slack/listeners/admin/command-text.ts';
import { AGENTS } from '../../slack/listeners/admin/lists/agents.ts';
import { AUDIT, toAuditQuery } from '../../slack/listeners/admin/lists/audit.ts';
import { ENVIRONMENTS } from '../../slack/listeners/admin/lists/environments.ts';
import { LIMITS } from '../../slack/listeners/admin/lists/limits.ts';
import { USAGE } from '../../slack/listeners/admin/lists/usage.ts';
import { findNearWord } from '../../slack/listeners/admin/near-word.ts';
import { obeyReview, type ReviewCommandPorts } from '../../slack/listeners/admin/review/review.ts';
import { openSearch, type SearchPorts } from '../../slack/listeners/admin/search/open.ts';
import { escapeMrkdwn } from '../../slack/text-out/escape-mrkdwn.ts';
import {
  ADMIN_USAGE,
  buildAdminSignIn,
  buildAdminText,
  buildSignedInAlready,
} from '../../slack/views/admin/admin-messages.ts';
import type { Content } from '../../slack/views/content.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC } from '../../slack/views/modal.ts';
import { type AllocationOpenPorts, openAllocationOf } from '../allocations/allocation-form.ts';
import type { Caller } from '../is-admin.ts';
import { type LimitOpenPorts, openLimitOf } from '../limits/limit-form.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import type { Opened } from '../shell/modal.ts';
import { type AdminList, type SayListPorts, sayList } from './admin-list.ts';
import type { SearchState } from './inventory-search-views.ts';

const FORMS = { limit: openLimitOf, allocation: openAllocationOf } satisfies Record<SearchState['command'], unknown>;

export const ADMIN_COMMAND = '/assistant-admin';

export type AdminCommandPorts = AllocationOpenPorts &
  LimitOpenPorts &
  ReviewCommandPorts &
  SayListPorts &
  SearchPorts &
  SignInPorts;

type SignInPorts = {
  signInVariant: LinkFlow['variant'];
  /** The name of the account that this person is signed in with for administration; '' where it is not known. Undefined: with none. */
  signedInAs(person: Person): Promise<string | undefined>;
};

/** `/assistant-admin` with the words of ADMIN_USAGE, for admins alone. */
export function registerAdminCommand(shell: AdminShell, ports: AdminCommandPorts): void {
  shell.onCommand(ADMIN_COMMAND, ({ text }) => chooseWork(text, ports));
}

function chooseWork(text: string, ports: AdminCommandPorts): CommandWork {
  const { word, rest, typed } = parseAdminCommand(text);
  const list = (which: AdminList, query: string): CommandWork => {
    return { run: (asking) => sayList(which, { query, page: 0 }, asking, ports) };
  };
  switch (word) {
    case 'limit':
      return { topic: LIMIT_TOPIC, open: (opened) => openFormOf(word, rest, opened, ports) };
    case 'allocation':
      return { topic: ALLOCATION_TOPIC, open: (opened) => openFormOf(word, rest, opened, ports) };
    case 'agents':
      // What is in quotes there is a value of a filter, or a name that looks like one.
      return list(AGENTS, typed);
    case 'environments':
      return list(ENVIRONMENTS, rest);
    case 'usage':
      return list(USAGE, rest);
    case 'audit':
      return list(AUDIT, toAuditQuery(text, rest));
    case 'limits':
      return list(LIMITS, rest);
    case 'review':
      return { run: (asking) => obeyReview(rest, asking, ports) };
    case 'sign-in':
      return { run: async ({ caller, say }) => void (await say(await offerSignIn(caller, ports))) };
    case '':
    case 'help':
      return sayText(ADMIN_USAGE);
    default:
      return sayText(describeUnknown(word));
  }
}

function openFormOf(
  command: SearchState['command'],
  name: string,
  opened: Opened,
  ports: AdminCommandPorts,
): Promise<void> {
  return name === '' ? openSearch(command, opened, ports) : FORMS[command](name, opened, ports);
}

function sayText(text: string): CommandWork {
  return { run: async ({ say }) => void (await say(buildAdminText(escapeMrkdwn(text)))) };
}

async function offerSignIn(caller: Caller, ports: SignInPorts): Promise<Content> {
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
