// What a filter leaves out, and what to try where nothing is left, in mrkdwn.
import { toMrkdwnName } from '../../slack/views/content.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { describeUnknownFilter, type FilteredList, type HarnessFilter, type ListFilter } from './list-filter.ts';

type Described = { filter: ListFilter; environmentName?: string | undefined };

/** ` matching “invoice” in the environment “Lab”`, behind what is counted; empty where nothing filters. */
export function describeFilter({ filter, environmentName }: Described): string {
  const { name, environment, owner, ownerUser, over, none, stopped } = filter;
  const quote = (words: string, typed: string) => (typed === '' ? '' : ` ${words} “${toMrkdwnName(typed, 100)}”`);
  return [
    quote('matching', name),
    quote('in the environment', environment === '' ? '' : (environmentName ?? environment)),
    ownerUser === undefined ? quote('of the owner', owner) : ` of <@${ownerUser}>`,
    none ? ' without a limit' : '',
    stopped ? ' that somebody stopped' : '',
    over === undefined ? '' : ` with ${formatCredits(over)} % or more used`,
  ].join('');
}

/** Behind the kind of agents, where the list has no buttons for it. */
export const HARNESS_WORDS: Record<HarnessFilter, string> = {
  any: '',
  yes: ' made by a harness',
  no: ' that no harness made',
  unknown: ' of which it is unknown whether a harness made them',
};

/** Begins with a space; empty where nothing filters. */
export function adviseOnNoHit(list: FilteredList, filter: ListFilter): string {
  const unknown = describeUnknownFilter(list, filter.name);
  if (unknown !== undefined) return ` ${unknown}`;
  const isFiltered = describeFilter({ filter }) !== '' || filter.harness !== 'any';
  return isFiltered ? ` Try ${listTries(filter).join(', ')}, or \`/assistant-admin ${list}\` for all.` : '';
}

/** The most frequent mistake first. */
function listTries({ name, environment, owner }: ListFilter): string[] {
  const tries = [
    ...(name === '' ? [] : ['part of the name']),
    ...(environment === '' ? [] : ['the environment as `/assistant-admin environments` shows it']),
    ...(owner === '' ? [] : ["the owner's id in the directory, as the list shows it"]),
  ];
  return tries.length === 0 ? ['fewer filters'] : tries;
}
