// `/assistant-admin policy ending`: the exceptions, by their last day, each with *End now*.
import type { SectionBlock } from '@slack/types';
import { buildButton, buildSection, type Content, fitBlocks, toMrkdwnLine } from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import { type Entry, isOver, type Policy } from '../policy/policy.ts';
import { toEntryKey } from '../policy/target.ts';
import type { NameTarget } from '../run/item-words.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { describeWhy, formatDay } from './policy-words.ts';

/** Written into messages: never rename. */
export const END_ACTION = 'policy_end_exception';

/** More would not fit into one message. */
const MAX_SHOWN = 25;

type Excepted = Entry & { exception: NonNullable<Entry['exception']> };

/** Those that still hold, the first to end first. */
export function listExceptions({ entries }: Policy, now: number): Excepted[] {
  const open = Object.values(entries).filter(
    (entry): entry is Excepted => entry.exception !== undefined && !isOver(entry.exception.until, now),
  );
  return open.toSorted((one, other) => (one.exception.until < other.exception.until ? -1 : 1));
}

/** `canEnd`: an auditor may not. */
export function buildEnding(
  policy: Policy,
  name: NameTarget,
  { now, canEnd }: { now: number; canEnd: boolean },
): Content {
  const exceptions = listExceptions(policy, now);
  if (exceptions.length === 0) return buildAdminText('No exception holds at the moment.');
  const text = `*${exceptions.length} ${exceptions.length === 1 ? 'exception' : 'exceptions'}* of policy ${policy.revision}, the first to end first`;
  const more = exceptions.length - MAX_SHOWN;
  const blocks = [
    buildSection(text),
    ...exceptions.slice(0, MAX_SHOWN).map((entry) => buildException(entry, name, canEnd)),
    ...(more > 0 ? [buildNotes([`And ${more} more: \`policy export\` has all of them.`])] : []),
  ];
  return { text, blocks: fitBlocks(blocks) };
}

function buildException(
  { setting, target, standing, exception }: Excepted,
  name: NameTarget,
  canEnd: boolean,
): SectionBlock {
  const words = (value: typeof exception.value) => toMrkdwnLine(describeValue(setting, value), 200);
  const instead = standing ? `, then ${words(standing.value)}` : '';
  const section = buildSection(
    `${OPERATIONS[setting].noun} of ${name(target)}: *${words(exception.value)}* through ${formatDay(exception.until)}${instead}\n${describeWhy(exception.why)}`,
  );
  const key = toEntryKey(setting, target);
  if (!canEnd || key.length > MAX_BUTTON_VALUE_LENGTH) return section;
  return { ...section, accessory: buildButton(END_ACTION, 'End now', key) };
}
