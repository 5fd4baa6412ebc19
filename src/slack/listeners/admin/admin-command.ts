import type { Person } from '../../../conversation/person.ts';
import type { Caller } from '../../../governance/is-admin.ts';
import type { LinkFlow } from '../../../identity/link-flow.ts';
import { escapeMrkdwn } from '../../text-out/escape-mrkdwn.ts';
import {
  ADMIN_USAGE,
  buildAdminSignIn,
  buildAdminText,
  buildSignedInAlready,
} from '../../views/admin/admin-messages.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC } from '../../views/admin/modal-topic.ts';
import type { SearchState } from '../../views/admin/search/modal.ts';
import type { Content } from '../../views/content.ts';
import type { AdminShell, CommandWork } from './admin-shell.ts';
import { type AllocationOpenPorts, openAllocationOf } from './allocation/open.ts';
import { parseAdminCommand } from './command-text.ts';
import { type LimitOpenPorts, openLimitOf } from './limit/open.ts';
import { type AdminList, type SayListPorts, sayList } from './lists/admin-list.ts';
import { AGENTS } from './lists/agents.ts';
import { AUDIT, toAuditQuery } from './lists/audit.ts';
import { ENVIRONMENTS } from './lists/environments.ts';
import { LIMITS } from './lists/limits.ts';
import { USAGE } from './lists/usage.ts';
import type { Opened } from './modal.ts';
import { findNearWord } from './near-word.ts';
import { obeyReview, type ReviewCommandPorts } from './review/review.ts';
import { openSearch, type SearchPorts } from './search/open.ts';

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
