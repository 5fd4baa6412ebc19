// The direct message to an owner, about their own environments and agents only; and what no owner can be written to about.
import { buildSection, type Content, fitBlocks, toMrkdwnName } from '../../slack/views/content.ts';
import { describeFinding, readSubject } from '../review/finding-words.ts';
import type { Some } from '../review/review.ts';
import { listNames } from '../review/review-words.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/whole-number.ts';
import type { OwnerItem } from './owner-items.ts';

/** An owner with more of them asks for the list. */
const MAX_ITEMS = 12;
const MAX_NAME_LENGTH = 80;

/** `askUser`: a Slack user id. */
export function buildOwnerMessage(items: readonly OwnerItem[], askUser: string): Content {
  const title = 'About your environments and agents';
  const more = items.length - MAX_ITEMS;
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(`*${title}*`),
      ...items.slice(0, MAX_ITEMS).map((item) => buildSection(fitLines([describeItem(item)]))),
      ...(more > 0 ? [buildSection(`… and ${formatCredits(more)} more of yours.`)] : []),
      buildNotes([
        `Approved → as it is now. You get this because you own them. Questions? Ask <@${askUser}>, who looks after it.`,
      ]),
    ]),
  };
}

function describeItem(item: OwnerItem): string {
  if (item.kind === 'level') return describeLevel(item);
  if (item.finding.group !== 'new') return describeFinding(item.finding);
  return `${describeFinding(item.finding)}. Nobody has said yet what it is for.`;
}

function describeLevel({ name, where, target, ...used }: OwnerItem & { kind: 'level' }): string {
  const isAgent = 'agentId' in target;
  const { consumed, capacity } = used;
  const percent = toPercentUsed(consumed / capacity);
  const bold = `*${toMrkdwnName(name, MAX_NAME_LENGTH)}*`;
  const subject = where === undefined ? bold : `${bold} in ${toMrkdwnName(where, MAX_NAME_LENGTH)}`;
  const of = isAgent ? 'monthly limit' : `credits (${toMrkdwnName(target.currency ?? '', 40)})`;
  const figures = `${formatCredits(consumed)} of ${formatCredits(capacity)} credits`;
  return `${subject} has used ${formatCredits(percent)} % of its ${of}: ${figures}. ${describeEffect(isAgent, used)}`;
}

function describeEffect(
  isAgent: boolean,
  { consumed, capacity, stopsAtLimit }: Partial<OwnerItem & { kind: 'level' }>,
) {
  if (!isAgent) return 'Its rules decide what happens beyond them.';
  if (!stopsAtLimit) return 'It goes on beyond its limit.';
  const isReached = (consumed ?? 0) >= (capacity ?? 0);
  return isReached ? 'It stops until the month is over.' : 'It stops at its limit.';
}

/** For the channel. Names are kept with what they have used. */
export function nameUnreached(items: readonly OwnerItem[]): string[] {
  const names = items.map((item) => {
    if (item.kind === 'finding') return readSubject(item.finding).name;
    return `${item.name} (${formatCredits(toPercentUsed(item.consumed / item.capacity))} % used)`;
  });
  return [...new Set(names)];
}

/** Lines of mrkdwn. */
export function describeUnreached(names: readonly string[], leftOut: number): string[] {
  const some: Some = { count: names.length, names: [...names] };
  const more = `Owners were not written to about ${formatCredits(leftOut)} more: too many at once.`;
  return [
    ...(names.length > 0 ? [`No e-mail for the owners of ${listNames(some)}.`] : []),
    ...(leftOut > 0 ? [more] : []),
  ];
}
