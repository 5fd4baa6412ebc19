// Edits of the policy in words, for what no item of the plan shows.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeSetting, OPERATIONS } from '../operations/operations.ts';
import type { Item, Plan } from '../plan/plan.ts';
import type { Edit } from '../policy/edit.ts';
import { EVERY_CHANNEL, type Target } from '../policy/target.ts';
import type { GovernanceServices } from '../services.ts';
import { MAX_NAME_LENGTH } from './item-words.ts';

/** *Name* in environment; mrkdwn. */
export type NameTarget = (target: Target) => string;

/** By the inventory as it was last read; what is not in it has its id. Throws StoreUnavailableError. */
export async function readTargetNames({ known }: Pick<GovernanceServices, 'known'>): Promise<NameTarget> {
  const { rows = [], environments = [] } = (await known.read()) ?? {};
  const environmentNames = new Map(environments.map(({ environmentId, name }) => [environmentId.toLowerCase(), name]));
  const agentNames = new Map(
    rows.map(({ environmentId = '', name, displayName }) => [`${environmentId}\n${name}`.toLowerCase(), displayName]),
  );
  const toBold = (name: string) => `*${toMrkdwnName(name, MAX_NAME_LENGTH)}*`;
  return (target) => {
    if ('className' in target) return `class ${toBold(target.className)}`;
    if ('channel' in target) return target.channel === EVERY_CHANNEL ? '*all channels*' : `<#${target.channel}>`;
    const { environmentId } = target;
    const where = environmentNames.get(environmentId.toLowerCase()) ?? environmentId;
    if (!('agentId' in target)) return toBold(where);
    const name = agentNames.get(`${environmentId}\n${target.agentId}`.toLowerCase()) ?? target.agentId;
    return `${toBold(name)} in ${toMrkdwnName(where, MAX_NAME_LENGTH)}`;
  };
}

/** What changes in the policy alone. */
export function listPolicyEdits({ edits, items }: Pick<Plan, 'edits' | 'items'>): Edit[] {
  const shown = new Set(items.map(toShown));
  return edits.filter(({ setting, target }) => {
    const isOfService = setting === 'limit' || setting === 'stop' || setting === 'credits';
    return !(isOfService && 'environmentId' in target && shown.has(toShown(target)));
  });
}

function toShown(of: Item | { environmentId: string; agentId?: string }): string {
  if ('resource' in of) return toShown(of.resource === 'credits' ? { environmentId: of.environmentId } : of.agent);
  return `${of.environmentId}\n${of.agentId ?? ''}`.toLowerCase();
}

/** *Lab*: class maker; mrkdwn. */
export function describeEdit({ setting, target, change }: Edit, name: NameTarget): string {
  const subject = name(target);
  const { noun } = OPERATIONS[setting];
  if (change.kind === 'end') return `${subject}: the entry of its ${noun} ends`;
  if (change.kind === 'set') {
    const until = change.until === undefined ? '' : ` until ${change.until}`;
    return `${subject}: ${toMrkdwnLine(describeSetting(setting, change.value), 300)}${until}`;
  }
  const stated = change.entry?.exception ?? change.entry?.standing;
  return stated === undefined
    ? `${subject}: no entry of its ${noun}, as before`
    : `${subject}: ${toMrkdwnLine(describeSetting(setting, stated.value), 300)}`;
}

/** The one last day that all of them have; undefined: they have none, or several. */
export function readUntil(edits: readonly Edit[]): string | undefined {
  const days = new Set(edits.map(({ change }) => (change.kind === 'set' ? change.until : undefined)));
  const [day] = days;
  return days.size === 1 ? day : undefined;
}
