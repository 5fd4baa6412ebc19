// The lists of /assistant-admin: looked up in the admin's name, shown to them alone, a page at a time.
import { type EnvironmentValue, parseEnvironmentValue } from '../allocations/allocation-form-views.ts';
import type { InventoryCache } from '../inventory/inventory-cache.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Say, SayPorts, TimeZones } from '../shell/respond.ts';
import { AGENTS } from './agents-message.ts';
import { AUDIT } from './audit-message.ts';
import { readUsageOf } from './environment-usage-message.ts';
import { AGENTS_OPEN_ACTION, ENVIRONMENTS, USAGE_OPEN_ACTION } from './environments-message.ts';
import { LIMITS } from './limits-message.ts';
import {
  type AdminList,
  type ListMessage,
  type ListPorts,
  type Look,
  matchTurnActions,
  type PageTurn,
  parsePageTurn,
} from './list-message.ts';
import { USAGE, USAGE_CHOOSE_ACTION } from './usage-message.ts';

type LookPorts = TimeZones & { inventories: Pick<InventoryCache, 'toSession' | 'toKeep'> };

/** `hasInterface`: false where no administrative interface is configured. */
export type SayListPorts = ListPorts & LookPorts & { hasInterface: boolean };

/** `sayWait`: says that it takes a while. `isPageTurn`: the inventory may be the one kept from the page before. */
type Asked = Asking & { sayWait?: Say; isPageTurn?: boolean };

/** Past this a person wonders whether the command, or the click, arrived. */
const STILL_LOOKING_AFTER_MS = 2_500;

/** After a sign-in that a button had to ask for. */
export const PRESS_AGAIN = 'press the button again';

const STILL_LOOKING = 'Still looking that up…';

/** Shows a page of a list. */
export async function sayList(list: AdminList, turn: PageTurn, asked: Asked, ports: SayListPorts): Promise<void> {
  const { caller, say } = asked;
  if (list.readAlone && !ports.hasInterface) {
    const { content, plain } = await list.readAlone(turn, { caller, timeZone: ports.timeZone(caller) }, ports);
    return void (await say(content, plain));
  }
  return sayLooked((look) => list.read(turn, look, ports), asked, ports);
}

/** Shows what was read with the admin's permissions. If it takes long, the admin is told to wait. */
export async function sayLooked(
  read: (look: Look) => Promise<ListMessage>,
  { caller, openSession, say, sayWait = say, isPageTurn = false }: Asked,
  ports: LookPorts,
): Promise<void> {
  const { content, plain } = await withWaitNote(sayWait, STILL_LOOKING, async () => {
    const own = await openSession();
    const isFresh = !isPageTurn;
    const session = ports.inventories.toSession(own, caller, { isFresh });
    const keep = ports.inventories.toKeep(caller, { isFresh });
    return read({ session, caller, timeZone: ports.timeZone(caller), keep });
  });
  await say(content, plain);
}

/** Says that the work takes a while, if it does. */
export async function withWaitNote<T>(say: Say, note: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => void say(buildAdminText(note)), STILL_LOOKING_AFTER_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** The buttons of all lists. */
export function registerListButtons(shell: AdminShell, ports: SayListPorts & SayPorts): void {
  for (const list of [LIMITS, AGENTS, ENVIRONMENTS, USAGE, AUDIT]) registerPages(list, shell, ports);
  registerEnvironmentButtons(shell, ports);
}

/** Replaces the page that is shown. If the new one cannot be read, the old one stays. */
function registerPages(list: AdminList, shell: AdminShell, ports: SayListPorts & SayPorts): void {
  const turnPage = async ({ value, body, say, ...admin }: Clicked) => {
    const turn = parsePageTurn(value);
    if (!turn) return void (await say(buildAdminText(describeOutOfDate(list))));
    const replace: Say = (content, plain) => ports.clicks.replace(body, content, { plain });
    await sayList(list, turn, { ...admin, say: replace, sayWait: say, isPageTurn: true }, ports);
  };
  shell.onClick(matchTurnActions(list.name), turnPage, { again: PRESS_AGAIN });
}

function describeOutOfDate({ name }: AdminList): string {
  return `This list is too old to turn its pages. Give the command again: \`/assistant-admin ${name}\`.`;
}

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin environments`.';

type Read = (environment: EnvironmentValue, look: Look, ports: ListPorts) => Promise<ListMessage>;

/**
 * *Usage* and *Agents* under an environment, and the choice of one in the overview of usage. What they open is a message
 * of its own; the list stays.
 */
function registerEnvironmentButtons(shell: AdminShell, ports: SayListPorts): void {
  const openBy =
    (parse: (clicked: Clicked) => EnvironmentValue | undefined, read: Read) => async (clicked: Clicked) => {
      const environment = parse(clicked);
      if (!environment) return void (await clicked.say(buildAdminText(OUT_OF_DATE)));
      await sayLooked((look) => read(environment, look, ports), clicked, ports);
    };
  const toButton = ({ value }: Clicked) => parseEnvironmentValue(value);
  const toChoice = ({ value, label }: Clicked) => (value === '' ? undefined : { environmentId: value, name: label });
  shell.onClick(USAGE_OPEN_ACTION, openBy(toButton, readUsageOf), { again: PRESS_AGAIN });
  shell.onClick(AGENTS_OPEN_ACTION, openBy(toButton, readAgentsOf), { again: PRESS_AGAIN });
  shell.onClick(USAGE_CHOOSE_ACTION, openBy(toChoice, readUsageOf), { again: PRESS_AGAIN });
}

function readAgentsOf({ environmentId }: EnvironmentValue, look: Look, ports: ListPorts): Promise<ListMessage> {
  return AGENTS.read({ query: `env:"${environmentId}"`, page: 0 }, look, ports);
}
