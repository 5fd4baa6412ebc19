// The direct message to an owner, about their own environments and agents only.

import { buildSection, type Content, fitBlocks, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { type Difference, drawsOnTenantPool, type Finding, findOpen } from '../review/finding.ts';
import { describeDifference, describeName, formatCount } from '../review/finding-words.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/whole-number.ts';
import type { FindingItem, LevelItem, OwnerItem } from './owner-items.ts';

/** An owner with more of them asks for the list. */
const MAX_ITEMS = 12;
const MAX_NAME_LENGTH = 80;
const MAX_DIFFERENCES = 5;

/** `askUser`: a Slack user id. */
export function buildOwnerMessage(
  items: readonly OwnerItem[],
  { askUser, timeZone }: { askUser: string; timeZone: string },
): Content {
  const title = 'About your environments and agents';
  const more = items.length - MAX_ITEMS;
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(`*${title}*`),
      ...items.slice(0, MAX_ITEMS).map((item) => buildSection(describeItem(item, timeZone))),
      ...(more > 0 ? [buildSection(`… and ${formatCount(more, 'more', 'more')} of yours.`)] : []),
      buildNotes([
        `You are told because you are named as an owner. For questions, or where this is meant to be so, write to <@${askUser}>, who looks after it.`,
      ]),
    ]),
  };
}

function describeItem(item: OwnerItem, timeZone: string): string {
  return item.kind === 'level' ? describeLevel(item, timeZone) : describeFinding(item);
}

function describeFinding({ change, finding, environmentName }: FindingItem): string {
  const name = describeSubject(finding, environmentName);
  if (change === 'settled') {
    const isAccepted = finding.status === 'approved_exception';
    const until = finding.expiresOn === undefined ? 'for now' : `until ${finding.expiresOn}`;
    return `${name} ${isAccepted ? `stays as it is: that is accepted ${until}.` : 'is as approved again.'}`;
  }
  if (finding.status === 'unclassified') return `${name}: ${describeUnclassified(finding)}`;
  const open = findOpen(finding);
  const shown = open.slice(0, MAX_DIFFERENCES).map((one) => `• ${describeDifference(one)}. ${describeMeaning(one)}`);
  const more = open.length - shown.length;
  return fitLines([
    `${name} is not as approved:`,
    ...shown,
    ...(more > 0 ? [`• and ${formatCount(more, 'more difference')}`] : []),
  ]);
}

function describeUnclassified(finding: Finding): string {
  if (finding.kind === 'agent') return 'no monthly limit is approved for this agent yet.';
  const pool = drawsOnTenantPool(finding) ? ` ${MEANINGS.TenantPool.looser}` : '';
  return `nothing is approved for this environment yet, because nobody has said what it is for.${pool}`;
}

const MEANINGS: Record<Difference['setting'], { looser: string; tighter: string }> = {
  allocated: {
    looser: 'More credits are reserved for it than approved.',
    tighter: 'Fewer credits are reserved for it, so they are used up sooner.',
  },
  TenantPool: {
    looser: 'It may use credits of the whole tenant that nobody reserved.',
    tighter: 'Beyond its own credits it gets none of the tenant pool: its agents may fail then.',
  },
  PayGo: {
    looser: 'Consumption beyond its credits goes on, and is billed.',
    tighter: 'Consumption beyond its credits is not billed: its agents may fail then.',
  },
  Deny: {
    looser: 'Consumption goes on where its credits are used up.',
    tighter: 'When its credits are used up, its agents stop for everybody.',
  },
  Alert: {
    looser: 'Nobody is told when its credits run low.',
    tighter: 'Administrators are told when credits run low.',
  },
  monthlyLimit: {
    looser: 'It may use more credits a month than approved.',
    tighter: 'It may use fewer credits a month than approved.',
  },
  alertAt: { looser: 'Administrators hear of it later.', tighter: 'Administrators hear of it sooner.' },
  stopWhenReached: {
    looser: 'It goes on when its limit is reached.',
    tighter: 'When its limit is reached, it stops for everybody.',
  },
};

function describeMeaning({ setting, way }: Difference): string {
  return way === 'unclear' ? 'Whether that allows more or less cannot be told.' : MEANINGS[setting][way];
}

function describeLevel({ finding, environmentName, ...used }: LevelItem, timeZone: string): string {
  const { currency, consumed, capacity, level, asOf } = used;
  const percent = toPercentUsed(used.consumed / used.capacity);
  const name = describeSubject(finding, environmentName);
  const what = finding.kind === 'agent' ? 'monthly limit' : 'credits';
  const of = currency === undefined ? '' : ` (${toMrkdwnName(currency, 40)})`;
  const head =
    percent >= 100 ? `has used up its ${what}${of}` : `has used ${formatCredits(percent)} % of its ${what}${of}`;
  const isSaid = level === percent || (level === 100 && percent > 100);
  const past = isSaid ? '' : `, past the level of ${formatCredits(level)} %`;
  const over = percent > 100 ? ` (${formatCredits(percent)} %)` : '';
  const when = asOf === undefined ? '' : `, as of ${formatTime(asOf, timeZone)}`;
  const figures = `${formatCredits(consumed)} of ${formatCredits(capacity)} credits${over}${when}`;
  return `${name} ${head}${past}: ${figures}. ${describeEffect(finding, used)}`;
}

function describeEffect(
  { kind }: Finding,
  used: Pick<LevelItem, 'consumed' | 'capacity' | 'stopsWhenReached'>,
): string {
  if (kind === 'environment') {
    return 'What happens beyond them its rules decide: its agents stop, go on with credits of the tenant, or are billed.';
  }
  if (used.stopsWhenReached === undefined) return 'The service does not tell whether it stops at its limit.';
  if (!used.stopsWhenReached) return 'It goes on beyond its limit.';
  return used.consumed >= used.capacity
    ? 'It stops until the month is over, or its limit is raised.'
    : 'It stops when its limit is reached.';
}

function describeSubject(finding: Finding, environmentName: string | undefined): string {
  const name = `*${describeName(finding, MAX_NAME_LENGTH)}*`;
  if (finding.kind === 'environment') return name;
  return `${name}${environmentName === undefined ? '' : ` in ${toMrkdwnName(environmentName, MAX_NAME_LENGTH)}`}`;
}
