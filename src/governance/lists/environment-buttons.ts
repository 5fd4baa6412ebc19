// What is opened of one environment from a list: it comes as a message of its own, and the list stays.

import { type EnvironmentValue, parseEnvironmentValue } from '../allocations/allocation-form-views.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import {
  type ListMessage,
  type ListPorts,
  type Look,
  PRESS_AGAIN,
  type SayListPorts,
  sayLooked,
} from './admin-list.ts';
import { AGENTS } from './agents-message.ts';
import { AGENTS_OPEN_ACTION, USAGE_OPEN_ACTION } from './environments-message.ts';
import { readUsageOf, USAGE_CHOOSE_ACTION } from './usage-message.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin environments`.';

type Read = (environment: EnvironmentValue, look: Look, ports: ListPorts) => Promise<ListMessage>;

/** *Usage* and *Agents* under an environment, and the choice of one of those in the overview of usage. */
export function registerEnvironmentButtons(shell: AdminShell, ports: SayListPorts): void {
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
