// Makes edits of the policy from the window of a stop, and sends them without a read that could be slow.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { readEntry } from '../../policy/policy.ts';
import { toTargetKey } from '../../policy/target.ts';
import { listAgentsOf, readInventory } from '../inventory/inventory.ts';
import { readSeen } from '../plan/read-seen.ts';
import { listSentKeys } from '../plan/seen.ts';
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
import {
  type KnownThresholds,
  listNew,
  listStaying,
  type ShownThresholds,
  type StopTargets,
  toKnownSeen,
  toRunEdits,
  toStopEdits,
} from './stop-edits.ts';
import { buildAgentStop, buildEnvironmentStop, STOP_TOPICS, type StopWhat } from './stop-form-views.ts';
import { FORM_ACTIONS, type PickedAgent, type PickedEnvironment, parseStopTarget } from './target-buttons.ts';

/** A stop must not wait, so limits that take longer to read (ms) are not waited for. */
const AT_ONCE_MS = 700;

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
  const kept: KeptStop = { environment: undefined, agents: [agent], shown: toShown(look), readAt, isListed: true };
  if (isAlready(what, look)) return modal.showProblem(`${toName(look)} ${ALREADY[what]} Nothing was changed.`);
  const window = buildAgentStop(what, look, { timeZone, defaultCurrency: currency });
  const place = await showForm(STOP_FORMS[what], { state: kept, ...window }, opened, services);
  if (what === 'stop' && typeof look.shown === 'string') keepReading(place, kept, opened, services);
}

const ALREADY: Record<StopWhat, string> = {
  stop: 'is stopped already: the policy and the service say so.',
  run: 'runs already: the policy and the service say so.',
};

function toName({ agent }: AgentLook): string {
  return `“${(agent.name || agent.agentId).slice(0, 100)}”`;
}

/** Whether policy and service both say so. A stop that only the service shows is not part of the policy yet. */
function isAlready(what: StopWhat, { shown, stop }: AgentLook): boolean {
  const wanted = what === 'stop';
  return typeof shown !== 'string' && shown.stopped === wanted && stop?.value === wanted;
}

function toShown({ agent, shown }: AgentLook): ShownThresholds {
  return typeof shown === 'string' ? {} : { [toTargetKey(agent)]: shown };
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
  const staying = what === 'stop' ? [] : listStaying(policy, kept, readAt);
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
): Promise<ShownThresholds> {
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
): Promise<ShownThresholds> {
  const { currency } = services;
  const look = { agents, currencies: [currency], ...(withinMs !== undefined && { withinMs }) };
  const seen = await readSeen(session, look, services);
  return Object.fromEntries(agents.map((agent) => [toTargetKey(agent), seen.threshold(agent, currency)] as const));
}

/** `isListed`: the service has just listed the agents, so none is missing. */
type KeptStop = StopTargets & KnownThresholds & { isListed: boolean };

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
    toEdits: (kept) => ({ edits: toRunEdits(kept) }),
  }),
};

/** Sends the stop with what the window knows; nothing is read before that. Then stops agents that are new. */
async function stopNow(kept: KeptStop, reason: string, acting: Acting, services: GovernanceServices): Promise<void> {
  await stop(kept, reason, acting, services);
  if (kept.environment && !kept.isListed) await stopRest(kept, reason, acting, services);
}

async function stop(kept: KeptStop, reason: string, acting: Acting, services: GovernanceServices): Promise<void> {
  const { currency } = services;
  const now = services.now();
  const { policy } = await services.policy.read();
  const edits = toStopEdits(policy, kept, { shown: kept.shown, now });
  const readSent = await services.sent.readFor(listSentKeys(kept.agents, [currency]));
  const seen = toKnownSeen(kept, { now, currency, readSent });
  const proposal = await services.engine.propose(edits, acting, { seen });
  await confirmOrShow(acting, proposal, { reason, say: acting.say }, services);
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
