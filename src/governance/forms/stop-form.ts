// Stopping agents and letting them run again: makes edits of the policy from the window, and sends a stop without a read
// that could be slow.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Edit, endEdit, setEdit } from '../../policy/edit.ts';
import { type Policy, readEntry } from '../../policy/policy.ts';
import { type EnvironmentTarget, toAgentTarget, toTargetKey } from '../../policy/target.ts';
import { listAgentsOf, readInventory } from '../inventory/inventory.ts';
import { readSeen } from '../plan/read-seen.ts';
import { listSentKeys, type Seen, type SeenAgent, type SeenEnvironment, type SeenThreshold } from '../plan/seen.ts';
import {
  type Acting,
  answerWorking,
  type FormPlace,
  type KeptForm,
  keepState,
  opensForm,
  showForm,
} from '../run/kept-form.ts';
import { confirmOrShow } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import { buildAdminProblem } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { type AgentLook, lookAtAgent, SOON_MS } from './now-words.ts';
import { toKeptForm } from './policy-form.ts';
import { buildAgentStop, buildEnvironmentStop, STOP_TOPICS, type StopWhat } from './stop-form-views.ts';
import { FORM_ACTIONS, type PickedAgent, type PickedEnvironment, parseStopTarget } from './target-buttons.ts';

/** A stop must not wait, so limits that take longer to read (ms) are not waited for. */
const AT_ONCE_MS = 700;

/**
 * What the window knows. `environment`: all of its agents are meant, also those that are not listed. `agents`: as they were
 * last listed. `shown`: what the service showed of each, by toTargetKey, at `readAt` (epoch ms); those that are missing were
 * not read. `isListed`: the service has just listed the agents, so none is missing.
 */
type KeptStop = {
  environment: SeenEnvironment | undefined;
  agents: SeenAgent[];
  shown: Record<string, SeenThreshold>;
  readAt: number;
  isListed: boolean;
};

export async function openAgentStop(
  what: StopWhat,
  { typed: _typed, ...agent }: PickedAgent,
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { openSession, caller, modal } = opened;
  const { currency } = services;
  const readAt = services.now();
  const session = await openSession();
  const { policy } = await services.policy.read();
  const asked = { agent, currency, caller, session, policy };
  const [look, timeZone] = await Promise.all([
    lookAtAgent(asked, what === 'stop' ? AT_ONCE_MS : SOON_MS, services),
    services.timeZone(caller),
  ]);
  if (isAlready(what, look)) {
    const name = (agent.name || agent.agentId).slice(0, 100);
    return modal.showProblem(`“${name}” ${ALREADY[what]} Nothing was changed.`);
  }
  const shown = typeof look.shown === 'string' ? {} : { [toTargetKey(agent)]: look.shown };
  const kept: KeptStop = { environment: undefined, agents: [agent], shown, readAt, isListed: true };
  const window = buildAgentStop(what, look, { timeZone, defaultCurrency: currency });
  const place = await showForm(STOP_FORMS[what], { state: kept, ...window }, opened, services);
  if (what === 'stop' && typeof look.shown === 'string') keepReading(place, kept, opened, services);
}

const ALREADY: Record<StopWhat, string> = {
  stop: 'is stopped already: the policy and the service say so.',
  run: 'runs already: the policy and the service say so.',
};

/** Whether policy and service both say so. A stop that only the service shows is not part of the policy yet. */
function isAlready(what: StopWhat, { shown, stop }: AgentLook): boolean {
  const wanted = what === 'stop';
  return typeof shown !== 'string' && shown.stopped === wanted && stop?.value === wanted;
}

/** If the agents are known from an earlier read, nothing here takes longer than a moment. */
export async function openEnvironmentStop(
  what: StopWhat,
  { environmentId, name }: PickedEnvironment,
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const environment = { environmentId, name, ownerId: undefined };
  const readAt = services.now();
  const [agents, { policy }] = await Promise.all([findAgents(environmentId, opened, services), services.policy.read()]);
  if (agents.rows.length === 0) return opened.modal.showProblem(`No agent is listed in “${name.slice(0, 100)}”.`);
  // The service takes a stop only with a limit, so a limit that is not known here would be lost.
  const shown = what === 'stop' ? await readAtOnce(agents.rows, opened, services) : {};
  const kept: KeptStop = { environment, agents: agents.rows, shown, readAt, isListed: agents.isListed };
  // Those that stay stopped when the environment runs again: by entries of their own.
  const staying =
    what === 'stop' ? [] : agents.rows.filter((agent) => readEntry(policy, 'stop', agent, readAt)?.value === true);
  const stop = readEntry(policy, 'stop', { environmentId }, readAt);
  const areLimitsShown = agents.rows.every((agent) => typeof shown[toTargetKey(agent)] === 'object');
  const window = buildEnvironmentStop(what, { environment, agents: agents.rows, staying, stop, areLimitsShown });
  const place = await showForm(STOP_FORMS[what], { state: kept, ...window }, opened, services);
  if (what === 'stop') keepReading(place, kept, opened, services);
}

async function findAgents(environmentId: string, { openSession }: Opened, { known }: GovernanceServices) {
  const before = await known.read().catch(() => undefined);
  const rows = listAgentsOf(before?.rows ?? [], environmentId);
  if (rows.length > 0) return { rows, isListed: false };
  const listed = await readInventory(await openSession());
  return { rows: listAgentsOf(listed.rows, environmentId), isListed: !listed.truncated };
}

/** Reads the rest while the admin types the reason. The stop uses what has been read by then. */
function keepReading(place: FormPlace, kept: KeptStop, { openSession }: Opened, services: GovernanceServices): void {
  services.inBackground(async () => {
    try {
      const readAt = services.now();
      const session = await openSession();
      const { environment } = kept;
      const listed = environment && !kept.isListed ? await readInventory(session) : undefined;
      const found = environment && listed ? listAgentsOf(listed.rows, environment.environmentId) : kept.agents;
      // What a part of the list lacks is not gone.
      const agents = listed?.truncated ? [...found, ...listNew(kept.agents, found)] : found;
      const shown = await readShown(agents, session, services);
      const isListed = kept.isListed || listed?.truncated === false;
      const read = { ...kept, agents: agents.length === 0 ? kept.agents : agents, shown, readAt, isListed };
      await keepState(STOP_FORMS.stop, read, place, services);
    } catch (error) {
      services.log.info({ err: error }, 'nothing more read for a stop');
    }
  });
}

/** Empty if it takes too long or cannot be read. */
async function readAtOnce(
  agents: KeptStop['agents'],
  { openSession }: Opened,
  services: GovernanceServices,
): Promise<KeptStop['shown']> {
  const session = await openSession();
  return readShown(agents, session, services, AT_ONCE_MS).catch((error: unknown) => {
    services.log.info({ err: error }, 'limits not read before a stop');
    return {};
  });
}

async function readShown(
  agents: KeptStop['agents'],
  session: AdminSession,
  services: GovernanceServices,
  withinMs?: number,
): Promise<KeptStop['shown']> {
  const { currency } = services;
  const look = { agents, currencies: [currency], ...(withinMs !== undefined && { withinMs }) };
  const seen = await readSeen(session, look, services);
  return Object.fromEntries(agents.map((agent) => [toTargetKey(agent), seen.threshold(agent, currency)] as const));
}

const toCommon = (what: StopWhat) => ({
  topic: STOP_TOPICS[what],
  tooOld: 'This is too old, so nothing was changed. Give the command again: /assistant-admin stop.',
  button: opensForm(FORM_ACTIONS[what], parseStopTarget, (target, opened, services) =>
    'agentId' in target
      ? openAgentStop(what, target, opened, services)
      : openEnvironmentStop(what, target, opened, services),
  ),
});

export const STOP_FORMS: Record<StopWhat, KeptForm<KeptStop, undefined>> = {
  stop: {
    callbackId: 'form_stop_now',
    ...toCommon('stop'),
    // Stops do not count towards the allowance, so that any number of agents can be stopped.
    check: { isCounted: false },
    // Good enough for an emergency; the admin may write a better one.
    decision: { reason: 'Emergency stop' },
    carryOut: (kept, { reason, replyTo }, submission, services) =>
      answerWorking({ ...STOP_TOPICS.stop, loading: 'Stopping…' }, submission, replyTo, (acting) =>
        stopNow(kept, reason, acting, services),
      ),
  },
  run: toKeptForm({
    callbackId: 'form_run_again',
    ...toCommon('run'),
    working: 'Running again…',
    decision: { approver: 'needed' },
    needsApprover: () => true,
    toEdits: ({ environment, agents }) => {
      const targets = environment === undefined ? agents.map((agent) => toAgentTarget(agent)) : [toTarget(environment)];
      // Sets an entry instead of removing one, because nothing is sent for an agent that is not governed.
      return { edits: targets.map((target) => setEdit('stop', target, false)) };
    },
  }),
};

/** Sends the stop with what the window knows; nothing is read before that. Then stops agents that are new. */
async function stopNow(kept: KeptStop, reason: string, acting: Acting, services: GovernanceServices): Promise<void> {
  await stop(kept, reason, acting, services);
  if (kept.environment && !kept.isListed) await stopRest(kept, reason, acting, services);
}

async function stop(kept: KeptStop, reason: string, acting: Acting, services: GovernanceServices): Promise<void> {
  const { policy } = await services.policy.read();
  const edits = toStopEdits(policy, kept, services.now());
  const proposal = await services.engine.propose(edits, acting, { seen: await toSeen(kept, services) });
  await confirmOrShow(acting, proposal, { reason, say: acting.say }, services);
}

function toStopEdits(policy: Policy, { environment, agents, shown }: KeptStop, now: number): Edit[] {
  if (environment === undefined) return agents.map((agent) => setEdit('stop', toAgentTarget(agent), true));
  return [
    setEdit('stop', toTarget(environment), true),
    ...agents.flatMap((agent): Edit[] => {
      const target = toAgentTarget(agent);
      const own = readEntry(policy, 'stop', target, now);
      // An entry that lets the agent run would be an exception to the stop, so remove it.
      if (own?.value === false) return [endEdit('stop', target)];
      const found = shown[toTargetKey(target)];
      const isStoppedElsewhere = own === undefined && typeof found === 'object' && found.stopped;
      // It was stopped before, so it stays stopped when the others run again.
      return isStoppedElsewhere ? [setEdit('stop', target, true)] : [];
    }),
  ];
}

function toTarget({ environmentId }: SeenEnvironment): EnvironmentTarget {
  return { environmentId };
}

/** In older windows it may have been changed elsewhere since (ms). */
const KNOWN_MS = 5 * 60_000;

/**
 * What was read before, so that nothing has to be read before a stop is sent. Not of agents to which something was sent
 * from here since then: the stop would put back the limit that they had.
 */
async function toSeen(
  { environment, agents, shown, readAt }: KeptStop,
  { currency, now, sent }: GovernanceServices,
): Promise<Seen> {
  const at = now();
  const readSent = await sent.readFor(listSentKeys(agents, [currency]));
  const isKnown = (agent: SeenAgent) =>
    at - readAt < KNOWN_MS && (readSent(toTargetKey({ ...agent, currency }))?.at ?? 0) <= readAt;
  return {
    at,
    environments: environment === undefined ? [] : [environment],
    agents,
    isWhole: false,
    threshold: (agent) => (isKnown(agent) && shown[toTargetKey(agent)]) || 'hidden',
    credits: () => undefined,
  };
}

/** Those that are listed now and were not before. */
function listNew(now: readonly SeenAgent[], before: readonly SeenAgent[]): SeenAgent[] {
  const known = new Set(before.map(toTargetKey));
  return now.filter((agent) => !known.has(toTargetKey(agent)));
}

/**
 * Stops agents that were created since the last read, because all agents of the environment were to be stopped. The window
 * belongs to the first stop, so a message says if this fails.
 */
async function stopRest(kept: KeptStop, reason: string, acting: Acting, services: GovernanceServices): Promise<void> {
  const { environmentId = '', name = '' } = kept.environment ?? {};
  try {
    const { rows } = await readInventory(await acting.openSession());
    const agents = listNew(listAgentsOf(rows, environmentId), kept.agents);
    if (agents.length > 0) await stop({ ...kept, agents, shown: {} }, reason, acting, services);
  } catch (error) {
    services.log.warn({ err: error }, 'newer agents not stopped');
    await acting.say(buildAdminProblem(describeNotStopped(name)));
  }
}

function describeNotStopped(name: string): string {
  return `Agents that are new in “${name.slice(0, 100)}” may still run: they could not be listed and stopped. Stop it again in a minute.`;
}
