// What owners read about their own environments and agents, and which of them Slack knows.
import { TransientError } from '../../errors.ts';
import { readEntry } from '../../policy/policy.ts';
import { type AgentTarget, type EnvironmentTarget, toTargetKey } from '../../policy/target.ts';
import type { Installation } from '../../slack/installation.ts';
import { buildSection, type Content, fitBlocks, toContent, toMrkdwnName } from '../../slack/views/content.ts';
import { isSlackError, SlackRefusedError } from '../../slack/web/slack-errors.ts';
import { describeNamed } from '../inventory/inventory-views.ts';
import { type Finding, toTarget } from '../review/finding.ts';
import { type Reviewed, toSome } from '../review/review.ts';
import { describeFinding, listNames, readSubject } from '../review/review-words.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/numbers.ts';
import type { ConsumptionLevel } from './consumption-levels.ts';
import type { Attempt } from './lane-job.ts';
import { isMember, patiently, type ScheduledServices } from './slack-delivery.ts';

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

/**
 * Finds the Slack user of an owner, who has to be a member of the workspace. Undefined: nobody. `unsure`: Slack does not
 * say it now.
 */
type FindOwner = (owner: string) => Promise<string | undefined | 'unsure'>;

/** `owner`: a Slack user id, an e-mail address or an id in the directory. Each is looked up once. */
export function createFindOwner(
  { workspace, team }: Installation,
  attempt: Attempt,
  { call, people, directory, log }: Pick<ScheduledServices, 'call' | 'people' | 'directory' | 'log'>,
): FindOwner {
  const known = new Map<string, ReturnType<FindOwner>>();
  let isScopeMissing = false;

  async function findUser(owner: string): Promise<string | undefined> {
    if (/^[UW][A-Z0-9]{2,}$/.test(owner)) return owner;
    if (!owner.includes('@')) return (await directory.find(team, owner))?.user;
    // The scope is missing for everybody.
    if (isScopeMissing) return undefined;
    const look = () => call('users.lookupByEmail', workspace, { email: owner }, 'notice');
    return (await patiently(look, attempt)).user?.id;
  }

  async function find(owner: string): ReturnType<FindOwner> {
    try {
      const user = await findUser(owner);
      return user !== undefined && (await isMember({ workspace, user }, attempt, { people })) ? user : undefined;
    } catch (error) {
      attempt.signal.throwIfAborted();
      if (!(error instanceof SlackRefusedError || error instanceof TransientError)) throw error;
      isScopeMissing ||= isSlackError(error, 'missing_scope');
      log.warn({ err: error }, 'an owner is not found');
      // A cache may report a refusal of Slack as transient.
      return error instanceof TransientError && !(error.cause instanceof SlackRefusedError) ? 'unsure' : undefined;
    }
  }

  return (owner) => {
    const key = owner.toLowerCase();
    const finding = known.get(key) ?? find(owner);
    known.set(key, finding);
    return finding;
  };
}

/**
 * `people`: by Slack user id. `nobody`: items without a known owner. `unsure`: items whose owners Slack did not say.
 * `leftOut`: how many items were too many at once.
 */
export type Addressees = {
  people: Map<string, OwnerItem[]>;
  nobody: OwnerItem[];
  unsure: OwnerItem[];
  leftOut: number;
};

/** Slack lets an app write to about one person a second, and so much news at once means a mistake in the policy. */
export const MAX_PEOPLE = 200;

/** Slack allows about 50 lookups of people a minute. */
const MAX_ITEMS = 500;

/** The owners of one environment or agent. */
const MAX_OWNERS = 10;

export async function addressOwners(items: readonly OwnerItem[], findOwner: FindOwner): Promise<Addressees> {
  const people = new Map<string, OwnerItem[]>();
  const nobody: OwnerItem[] = [];
  const unsure: OwnerItem[] = [];
  let leftOut = Math.max(0, items.length - MAX_ITEMS);

  /** A person who is named twice, by address and by id, counts once. */
  async function findAll(owners: readonly string[]): Promise<string[]> {
    const found = await Promise.all(owners.slice(0, MAX_OWNERS).map(findOwner));
    return [...new Set(found.filter((user) => user !== undefined))];
  }

  function give(user: string, item: OwnerItem): void {
    const theirs = people.get(user);
    if (theirs) theirs.push(item);
    else if (people.size < MAX_PEOPLE) people.set(user, [item]);
    else leftOut += 1;
  }

  for (const item of items.slice(0, MAX_ITEMS)) {
    const own = await findAll(item.owners);
    const found = own.length > 0 ? own : await findAll(item.fallback);
    const users = found.filter((user) => user !== 'unsure');
    if (users.length === 0) (found.length === 0 ? nobody : unsure).push(item);
    for (const user of users) give(user, item);
  }
  return { people, nobody, unsure, leftOut };
}

/** An owner with more items can ask for the list. */
const MAX_SHOWN = 12;

/** `askUser`: a Slack user id. */
export function buildOwnerMessage(items: readonly OwnerItem[], askUser: string): Content {
  const more = items.length - MAX_SHOWN;
  const hasArrows = items.some((item) => item.kind === 'finding' && item.finding.group !== 'new');
  const legend = hasArrows ? 'Approved → as it is now. ' : '';
  return toContent(
    fitBlocks([
      buildSection('*About your environments and agents*'),
      ...items.slice(0, MAX_SHOWN).map((item) => buildSection(fitLines([describeItem(item)]))),
      ...(more > 0 ? [buildSection(`… and ${formatCredits(more)} more of yours.`)] : []),
      buildNotes([`${legend}You get this because you own them. Questions? Ask <@${askUser}>, who looks after it.`]),
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
    ...(names.length > 0 ? [`No e-mail for the owners of ${listNames(toSome(names))}.`] : []),
    ...(leftOut > 0 ? [more] : []),
  ];
}
