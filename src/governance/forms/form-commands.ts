// `/assistant-admin limit`, `stop`, `run` and `credits`, and all that their forms listen to.
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import { registerClassForm } from './class-form.ts';
import { openCreditsForm, registerCreditsForm } from './credits-form.ts';
import { CREDITS_TOPIC } from './credits-form-views.ts';
import { openLimitForm, registerLimitForm } from './limit-form.ts';
import { LIMIT_TOPIC } from './limit-form-views.ts';
import { pickAgent, pickEnvironment, pickKnownAgent, pickKnownEnvironment } from './pick-target.ts';
import type { SearchState } from './search-form.ts';
import { openSearch, registerSearch } from './search-form.ts';
import { openAgentStop, openEnvironmentStop, registerStopForms } from './stop-form.ts';
import { STOP_TOPICS, type StopWhat } from './stop-form-views.ts';
import { FORM_ACTIONS } from './target-buttons.ts';

type Command = (text: string, services: GovernanceServices) => CommandWork;

/** `limit <agent> [credits]`. Each of these suggests names, where none is given. */
export const limitCommand: Command = (text, services) => ({
  topic: LIMIT_TOPIC,
  async open(opened) {
    if (text.trim() === '') return openSearch('limit', opened, services);
    const button = { actionId: FORM_ACTIONS.limit, text: 'Limit…' };
    const agent = await pickAgent(text, { topic: LIMIT_TOPIC, button, hasAmount: true }, opened, services);
    if (agent) await openLimitForm(agent, opened, services);
  },
});

/** `stop <agent|env:…>` */
export const stopCommand: Command = (text, services) => toStopWork('stop', text, services);

/** `run <agent|env:…>` */
export const runCommand: Command = (text, services) => toStopWork('run', text, services);

/** `credits <environment> [credits]` */
export const creditsCommand: Command = (text, services) => ({
  topic: CREDITS_TOPIC,
  async open(opened) {
    if (text.trim() === '') return openSearch('credits', opened, services);
    const button = { actionId: FORM_ACTIONS.credits, text: 'Credits…' };
    const how = { topic: CREDITS_TOPIC, button, hasAmount: true };
    const environment = await pickEnvironment(readEnvironmentName(text) ?? text, how, opened, services);
    if (environment) await openCreditsForm(environment, opened, services);
  },
});

const LABELS: Record<StopWhat, string> = { stop: 'Stop…', run: 'Run again…' };

function toStopWork(what: StopWhat, text: string, services: GovernanceServices): CommandWork {
  const topic = STOP_TOPICS[what];
  const how = { topic, button: { actionId: FORM_ACTIONS[what], text: LABELS[what] }, hasAmount: false };
  const [pickOne, pickAll] = what === 'stop' ? [pickKnownAgent, pickKnownEnvironment] : [pickAgent, pickEnvironment];
  return {
    topic,
    // However many agents have to be stopped, each of them is.
    isCounted: what !== 'stop',
    async open(opened) {
      if (text.trim() === '') return openSearch(what, opened, services);
      const environmentName = readEnvironmentName(text);
      if (environmentName !== undefined) {
        const environment = await pickAll(environmentName, how, opened, services);
        if (environment) await openEnvironmentStop(what, environment, opened, services);
        return;
      }
      const agent = await pickOne(text, how, opened, services);
      if (agent) await openAgentStop(what, agent, opened, services);
    },
  };
}

/** `env:Burning`, or with quotes around the name. Undefined: it names an agent. */
export function readEnvironmentName(text: string): string | undefined {
  const name = /^env(?:ironment)?:\s*(.+)$/i.exec(text.trim())?.[1];
  return name === undefined ? undefined : (/^["“”„«'‘‚`](.+)["“”»'’‘`]$/.exec(name)?.[1] ?? name);
}

const COMMANDS: Record<SearchState['command'], Command> = {
  limit: limitCommand,
  stop: stopCommand,
  run: runCommand,
  credits: creditsCommand,
};

export function registerForms(shell: AdminShell, services: GovernanceServices): void {
  registerLimitForm(shell, services);
  registerStopForms(shell, services);
  registerCreditsForm(shell, services);
  registerClassForm(shell, services);
  registerSearch(
    shell,
    async (command, name, opened) => {
      const work = COMMANDS[command](name, services);
      if ('open' in work) await work.open(opened);
    },
    services,
  );
}
