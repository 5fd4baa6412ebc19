// `/assistant-admin limit`, `stop`, `run` and `credits`, and the listeners of their forms.
import { registerForms } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import type { Opened } from '../shell/modal.ts';
import { toPlainWidth } from '../shell/typed-text.ts';
import { CLASS_FORM } from './class-form.ts';
import { CREDITS_FORM, openCreditsForm } from './credits-form.ts';
import { LIMIT_FORM, openLimitForm } from './limit-form.ts';
import { AGENTS, ENVIRONMENTS, pick } from './pick-form.ts';
import { openSearch, registerSearch, SEARCHES, type SearchState } from './search-form.ts';
import { readEnvironmentName } from './split-amount.ts';
import { openAgentStop, openEnvironmentStop, STOP_FORMS } from './stop-form.ts';
import { FORM_ACTIONS } from './target-buttons.ts';

export type FormCommand = SearchState['command'];

/** `limit <agent> [credits]`, `stop` and `run <agent|env:…>`, `credits <environment> [credits]`. */
export function formCommand(command: FormCommand, text: string, services: GovernanceServices): CommandWork {
  return {
    topic: SEARCHES[command].topic,
    // Stops do not count towards the allowance, so that any number of agents can be stopped.
    check: { isCounted: command !== 'stop' },
    async open(opened) {
      // Without a name, suggest names.
      if (text.trim() === '') return openSearch(command, opened, services);
      await openForm(command, toPlainWidth(text), opened, services);
    },
  };
}

async function openForm(
  command: FormCommand,
  typed: string,
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { topic, label: text } = SEARCHES[command];
  const button = { actionId: FORM_ACTIONS[command], text };
  const isOfStop = command === 'stop' || command === 'run';
  const how = { topic, button, hasAmount: !isOfStop, isUrgent: command === 'stop' };
  const environmentName = command === 'limit' ? undefined : readEnvironmentName(typed);
  if (command === 'credits' || (isOfStop && environmentName !== undefined)) {
    const environment = await pick(ENVIRONMENTS, environmentName ?? typed, how, opened, services);
    if (!environment) return;
    if (isOfStop) return openEnvironmentStop(command, environment, opened, services);
    return openCreditsForm(environment, opened, services);
  }
  const agent = await pick(AGENTS, typed, how, opened, services);
  if (!agent) return;
  if (isOfStop) return openAgentStop(command, agent, opened, services);
  return openLimitForm(agent, opened, services);
}

export function registerFormCommands(shell: AdminShell, services: GovernanceServices): void {
  registerForms(shell, [LIMIT_FORM, STOP_FORMS.stop, STOP_FORMS.run, CREDITS_FORM, CLASS_FORM], services);
  registerSearch(shell, (command, name, opened) => openForm(command, name, opened, services), services);
}
