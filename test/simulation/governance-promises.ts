// What the app promises to administrators: see promises.ts.
import type { Policy } from '../../src/policy/policy.ts';
import { type Target, toEntryKey } from '../../src/policy/target.ts';
import type { SettingId, Values } from '../../src/policy/values.ts';
import { type AdminWrite, AGENTS, type AgentId, CURRENCY } from './admin-machine.ts';
import type { DoneItem } from './governed.ts';
import type { Rule } from './promises.ts';
import type { Rest } from './world.ts';

/** From the last look before a write to the write: pauses that the service asks for, and a process that stands still. */
const LOOKED_WITHIN_MS = 60_000;

/** What was sent before a stop may arrive so much later. */
const IN_FLIGHT_MS = 3_000;

export const GOVERNANCE_PROMISES: readonly Rule[] = [
  {
    name: 'every change comes to its end, and the log says how',
    judge({ governed: { runs, items, log, logProblem } }) {
      const logged = Map.groupBy(log, ({ what, subject }) => `${what} ${subject.planId} ${subject.agentId ?? ''}`);
      const times = (what: string, run: string, agent = '') => logged.get(`${what} ${run} ${agent}`)?.length ?? 0;
      return [
        ...(logProblem === undefined ? [] : [`the log is not whole: ${logProblem}`]),
        ...runs.filter(({ ended }) => !ended).map(({ id }) => `run ${id} has not ended`),
        ...runs
          .filter(({ id }) => times('plan_confirmed', id) !== 1)
          .map(({ id }) => `run ${id} is in the log ${times('plan_confirmed', id)} times`),
        ...items
          .filter(({ run, item, result }) => !result || times('item_ended', run.id, agentOf(item)?.agentId) !== 1)
          .map(({ run, item, result }) => `${toName(item)} of run ${run.id} is ${result?.kind ?? 'in doubt'}`),
      ];
    },
  },
  {
    name: 'each change of the policy is one revision',
    judge({ governed: { policy, runs } }) {
      const changes = runs.filter(({ edits }) => edits > 0);
      const revisions = new Set(changes.map((run) => run.policy));
      const isRight = revisions.size === changes.length && policy.revision === changes.length;
      return isRight ? [] : [`${changes.length} changes made revision ${policy.revision}`];
    },
  },
  {
    name: 'policy and service agree once a review finds nothing',
    judge: ({ governed: { policy, agreedAt }, admin }) =>
      AGENTS.flatMap((agent) => {
        const { credits, isStopped } = admin.read(toId(agent));
        const limit = readApproved(policy, 'limit', { ...agent, currency: CURRENCY }, agreedAt);
        const stop =
          readApproved(policy, 'stop', agent, agreedAt) ??
          readApproved(policy, 'stop', { environmentId: agent.environmentId }, agreedAt);
        const approved = limit === undefined || limit === 'none' ? limit && 0 : limit.credits;
        const isRight = (approved ?? credits) === credits && (stop ?? isStopped) === isStopped;
        return isRight
          ? []
          : [`${toId(agent)} has ${credits} (stopped: ${isStopped}), approved are ${approved} (${stop})`];
      }),
  },
  {
    name: 'each item is carried out once',
    judge: (rest) =>
      [...Map.groupBy(listSent(rest), ({ write }) => JSON.stringify([write.agent, write.set]))].flatMap(
        ([key, sent]) => {
          const count = sent[0]?.from.length ?? 0;
          // A stop is sent twice rather than never.
          const isStop = sent.some(({ write }) => write.set.isStopped);
          return isStop || sent.length <= count ? [] : [`${key} was written ${sent.length} times for ${count} items`];
        },
      ),
  },
  {
    name: 'nothing is overwritten that was changed since it was looked at',
    judge: (rest) =>
      listSent(rest)
        .filter(({ write, from }) => {
          const isOld = write.at - write.beforeAt > LOOKED_WITHIN_MS;
          // The service promises no read of limits, so the app writes also where that fails.
          const isBlind = rest.admin.unread.some((at) => at <= write.at && write.at - at < LOOKED_WITHIN_MS);
          return !write.set.isStopped && isOld && !isBlind && !from.some(({ item }) => hasSeen(item, write));
        })
        .map(
          ({ write }) => `${write.agent}: ${JSON.stringify(write.before)} was overwritten with ${write.set.credits}`,
        ),
  },
  {
    name: 'a stop wins over what was begun before it',
    judge(rest) {
      const sent = listSent(rest);
      const stops = rest.governed.items.filter(({ item, result }) => isStop(item) && result?.kind === 'verified');
      return sent.flatMap(({ write, from }) => {
        if (write.set.isStopped) return [];
        // Not by the times that runs have noted: the clocks of processes are set.
        const winner = stops.find((stop) => {
          const isLater = toName(stop.item) === write.agent && from.every(({ run }) => run.policy < stop.run.policy);
          const stoppedAt = sent.filter((one) => isLater && one.from.includes(stop)).map((one) => one.write.at);
          return stoppedAt.length > 0 && Math.max(...stoppedAt) + IN_FLIGHT_MS < write.at;
        });
        return winner ? [`${write.agent} was let run after the stop of run ${winner.run.id}`] : [];
      });
    },
  },
  {
    name: 'what allows more was approved by somebody else',
    judge: ({ governed: { items }, needsApproval }) =>
      items
        .filter(
          ({ run, item }) =>
            needsApproval && item.way === 'more' && (run.approver?.user ?? run.by.user) === run.by.user,
        )
        .map(({ run }) => `run ${run.id} was approved by nobody else`),
  },
];

/** What the app wrote, and the items that it may have written it for. */
function listSent({ admin, governed: { items } }: Rest): { write: AdminWrite; from: DoneItem[] }[] {
  return admin.writes
    .filter(({ by }) => by === 'app')
    .map((write) => ({ write, from: items.filter(({ item }) => isFor(item, write)) }));
}

type Item = DoneItem['item'];

function isFor(item: Item, { agent, set }: AdminWrite): boolean {
  if (item.resource !== 'threshold' || toName(item) !== agent) return false;
  return item.after.stopped === set.isStopped && toCredits(item.after.limit) === set.credits;
}

function hasSeen(item: Item, { before }: AdminWrite): boolean {
  if (item.resource !== 'threshold' || item.before === 'unknown') return true;
  return item.before.stopped === before.isStopped && toCredits(item.before.limit) === before.credits;
}

function isStop(item: Item): boolean {
  return item.resource === 'threshold' && item.isStop;
}

function agentOf(item: Item): AgentId | undefined {
  return item.resource === 'threshold' ? item.agent : undefined;
}

function toName(item: Item): string {
  const agent = agentOf(item);
  return agent ? toId(agent) : item.resource;
}

function toId({ environmentId, agentId }: AgentId): string {
  return `${environmentId} ${agentId}`;
}

function toCredits(limit: Values['limit']): number {
  return limit === 'none' ? 0 : limit.credits;
}

/** Not with the app's own reading, which is judged here. */
function readApproved<Setting extends SettingId>(
  { entries }: Policy,
  setting: Setting,
  target: Target,
  at: number,
): Values[Setting] | undefined {
  const { standing, exception } = entries[toEntryKey(setting, target)] ?? {};
  const today = new Date(at).toISOString().slice(0, 10);
  const holds = exception !== undefined && exception.until >= today;
  return (holds ? exception.value : standing?.value) as Values[Setting] | undefined;
}
