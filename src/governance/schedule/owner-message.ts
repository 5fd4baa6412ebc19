// The direct message to an owner about their own environments and agents: new differences, and what they have used.
import { readEntry } from '../../policy/policy.ts';
import { type AgentTarget, type EnvironmentTarget, toTargetKey } from '../../policy/target.ts';
import { buildSection, type Content, fitBlocks, toContent, toMrkdwnName } from '../../slack/views/content.ts';
import { describeNamed } from '../inventory/inventory-views.ts';
import { type Finding, toTarget } from '../review/finding.ts';
import { describeFinding, listNames, readSubject } from '../review/review-words.ts';
import type { Reviewed } from '../review/run-review.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/numbers.ts';
import type { ConsumptionLevel } from './consumption-levels.ts';

/** `fallback`: the owners of an agent's environment, if no owner of the agent can be reached. */
export type OwnerItem = { owners: string[]; fallback: string[] } & (
  | { kind: 'finding'; finding: Exclude<Finding, { group: 'unknown' | 'ending' }> }
  | ({ kind: 'level' } & ConsumptionLevel)
);

/** `fresh`: empty for a first review, so that no owner gets a message before an admin has seen the review. */
export function toOwnerItems(
  fresh: readonly Finding[],
  levels: readonly ConsumptionLevel[],
  { policy, seen }: Pick<Reviewed, 'policy' | 'seen'>,
  now: number,
): OwnerItem[] {
  const inInventory = new Map([
    ...seen.environments.map((environment) => [toTargetKey(environment), environment.ownerId] as const),
    ...seen.agents.map((agent) => [toTargetKey(agent), agent.ownerId] as const),
  ]);

  /** The owners in the policy and the one in the inventory, each once. */
  function listOwners(target: EnvironmentTarget | AgentTarget): string[] {
    const named = readEntry(policy, 'owners', target, now)?.value ?? [];
    const all = [...named, inInventory.get(toTargetKey(target))].filter((owner) => owner !== undefined);
    return [...new Map(all.map((owner) => [owner.toLowerCase(), owner])).values()];
  }

  function address({ currency: _, ...target }: EnvironmentTarget | AgentTarget) {
    const fallback = 'agentId' in target ? listOwners({ environmentId: target.environmentId }) : [];
    return { owners: listOwners(target), fallback };
  }

  const findings = fresh.flatMap((finding): OwnerItem[] => {
    // What is unknown is for administrators to look into.
    if (finding.group === 'unknown' || finding.group === 'ending') return [];
    const target = toTarget(finding);
    return 'environmentId' in target ? [{ kind: 'finding', finding, ...address(target) }] : [];
  });
  return [...findings, ...levels.map((level): OwnerItem => ({ kind: 'level', ...level, ...address(level.target) }))];
}

/** An owner with more items can ask for the list. */
const MAX_ITEMS = 12;

/** `askUser`: a Slack user id. */
export function buildOwnerMessage(items: readonly OwnerItem[], askUser: string): Content {
  const more = items.length - MAX_ITEMS;
  return toContent(
    fitBlocks([
      buildSection('*About your environments and agents*'),
      ...items.slice(0, MAX_ITEMS).map((item) => buildSection(fitLines([describeItem(item)]))),
      ...(more > 0 ? [buildSection(`… and ${formatCredits(more)} more of yours.`)] : []),
      buildNotes([
        `Approved → as it is now. You get this because you own them. Questions? Ask <@${askUser}>, who looks after it.`,
      ]),
    ]),
  );
}

function describeItem(item: OwnerItem): string {
  if (item.kind === 'level') return describeLevel(item);
  if (item.finding.group !== 'new') return describeFinding(item.finding);
  return `${describeFinding(item.finding)}. Nobody has said yet what it is for.`;
}

function describeLevel({ name, where, target, consumed, capacity, stopsAtLimit }: ConsumptionLevel): string {
  const isAgent = 'agentId' in target;
  const of = isAgent ? 'monthly limit' : `credits (${toMrkdwnName(target.currency ?? '', 40)})`;
  const percent = formatCredits(toPercentUsed(consumed / capacity));
  const figures = `${formatCredits(consumed)} of ${formatCredits(capacity)} credits`;
  const stops = consumed >= capacity ? 'It stops until the month is over.' : 'It stops at its limit.';
  const ofAgent = stopsAtLimit ? stops : 'It goes on beyond its limit.';
  const effect = isAgent ? ofAgent : 'Its rules decide what happens beyond them.';
  return `${describeNamed({ name, where })} has used ${percent} % of its ${of}: ${figures}. ${effect}`;
}

/** Names for the channel, with what they have used. */
export function nameUnreached(items: readonly OwnerItem[]): string[] {
  const names = items.map((item) => {
    if (item.kind === 'finding') return readSubject(item.finding).name;
    return `${item.name} (${formatCredits(toPercentUsed(item.consumed / item.capacity))} % used)`;
  });
  return [...new Set(names)];
}

/** Lines of mrkdwn. */
export function describeUnreached(names: readonly string[], leftOut: number): string[] {
  const more = `Owners were not written to about ${formatCredits(leftOut)} more: too many at once.`;
  return [
    ...(names.length > 0
      ? [`No e-mail for the owners of ${listNames({ count: names.length, names: [...names] })}.`]
      : []),
    ...(leftOut > 0 ? [more] : []),
  ];
}
