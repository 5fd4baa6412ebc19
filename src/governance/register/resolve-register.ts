// From the file's form to what it approves: defaults filled in, and nothing left open.
import type { ExceptionForm } from './exception-schema.ts';
import {
  type ApprovedException,
  type ApprovedLimit,
  type Register,
  type RegisterDefaults,
  type RegisteredAgent,
  type RegisteredEnvironment,
  toIdKey,
} from './register.ts';
import type { Path, PlacedSentence } from './register-problem.ts';
import type { ApprovedLimitForm, DefaultsForm, EnvironmentForm, RegisterForm } from './register-schema.ts';
import { completeAllocations, toStatedAllocations } from './stated-allocation.ts';

type Tell = (path: Path, sentence: string) => void;

/** Where there are problems, the register is not to be used. */
export function resolveRegister(form: RegisterForm): { register: Register; problems: PlacedSentence[] } {
  const problems: PlacedSentence[] = [];
  const tell: Tell = (path, sentence) => problems.push({ path, sentence });
  const defaults: Register['defaults'] = {};
  for (const use of ['maker-development', 'funded-production', 'unclassified'] as const) {
    const stated = form.defaults[use];
    if (stated) defaults[use] = resolveDefaults(stated, (path, sentence) => tell(['defaults', use, ...path], sentence));
  }
  const environments = form.environments.map((environment, index) =>
    resolveEnvironment(environment, defaults, (path, sentence) => tell(['environments', index, ...path], sentence)),
  );
  tellTwins(environments, 'environment', (path, sentence) => tell(['environments', ...path], sentence));
  const { reviewedAgents, otherCurrencies } = form;
  return { register: { reviewedAgents, otherCurrencies, defaults, environments }, problems };
}

function resolveDefaults({ allocations, unnamedAgents }: DefaultsForm, tell: Tell): RegisterDefaults {
  return {
    allocations: allocations && toStatedAllocations(allocations, (path, text) => tell(['allocations', ...path], text)),
    unnamedAgents: unnamedAgents && resolveLimit(unnamedAgents, (text) => tell(['unnamedAgents'], text)),
  };
}

function resolveEnvironment(form: EnvironmentForm, defaults: Register['defaults'], tell: Tell): RegisteredEnvironment {
  const { id, name, classification, owners, unnamedAgents } = form;
  const inherited = defaults[classification];
  const own = resolveDefaults(form, tell);
  const allocations = completeAllocations(own.allocations, inherited?.allocations, {
    classification,
    tell: (path, text) => tell(['allocations', ...path], text),
  });
  const agents = form.agents.map((agent, index): RegisteredAgent => {
    const limit = resolveLimit(agent, (text) => tell(['agents', index], text));
    return { id: agent.id, name: agent.name, owners: agent.owners, limit };
  });
  tellTwins(agents, 'agent', (path, text) => tell(['agents', ...path], text));
  return {
    id,
    name,
    classification,
    owners,
    allocations,
    unnamedAgents: unnamedAgents === undefined ? inherited?.unnamedAgents : own.unnamedAgents,
    agents,
    exceptions: form.exceptions.map(toException),
  };
}

function resolveLimit(
  { monthlyLimit, alertAt, stopWhenReached }: ApprovedLimitForm,
  tell: (text: string) => void,
): ApprovedLimit {
  if (monthlyLimit === 'none') {
    if (alertAt !== undefined || stopWhenReached !== undefined) {
      tell('Leave alertAt and stopWhenReached out where monthlyLimit is none: there is nothing for them to act on.');
    }
    return { monthlyLimit };
  }
  if (alertAt === undefined) tell('Write alertAt: with the monthlyLimit, a whole percentage from 1 to 100 or off.');
  if (stopWhenReached === undefined) tell('Write stopWhenReached: with the monthlyLimit, on or off.');
  return { monthlyLimit, alertAt: alertAt ?? 'off', stopWhenReached: stopWhenReached ?? 'off' };
}

function toException(form: ExceptionForm): ApprovedException {
  const { setting, value, reason, approver, expires } = form;
  const currency = 'currency' in form ? form.currency : undefined;
  const agent = 'agent' in form ? form.agent : undefined;
  return { agent, accepts: { setting, currency, value }, reason, approver, expiresOn: expires };
}

function tellTwins(entries: readonly { id: string }[], what: string, tell: Tell): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    const key = toIdKey(id);
    if (seen.has(key))
      tell([index, 'id'], `This ${what} is in the register twice (${id}). Keep one of the two entries.`);
    seen.add(key);
  }
}
