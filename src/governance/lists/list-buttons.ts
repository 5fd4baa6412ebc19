// What can be done with a row of a list, and with all rows that a filter leaves.
import type { Button } from '@slack/types';
import { buildButton } from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { encodeAgent, encodeEnvironment, FORM_ACTIONS } from '../forms/target-buttons.ts';
import { toSeenAgent } from '../inventory/seen-agent.ts';
import { listClasses } from '../policy/policy.ts';
import type { Role } from '../shell/access.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type AgentRow, isStopped } from './agents-list.ts';
import type { EnvironmentRow } from './environments-list.ts';
import type { ListServices } from './list.ts';
import type { PageTurn } from './list-message.ts';
import type { Owned } from './list-owners.ts';
import type { Found, ListName } from './list-reader.ts';

/** Rows of a month have none: they are about what is over. An auditor gets those that only show something. */
export function buildRowButtons(name: ListName, row: unknown, role: Role): Button[] {
  if ('until' in (row as object)) return [];
  const { changing, showing } =
    name === 'agents' ? listOfAgent(row as AgentRow) : listOfEnvironment(row as EnvironmentRow);
  return [...(role === 'admin' ? changing : []), ...showing].filter((button) => button !== undefined);
}

type RowButtons = Record<'changing' | 'showing', (Button | undefined)[]>;

function listOfAgent(row: AgentRow): RowButtons {
  const agent = toSeenAgent(row);
  const value = agent && encodeAgent(agent);
  const stop = isStopped(row) ? toFormButton('run', 'Run…', value) : toFormButton('stop', 'Stop…', value);
  return {
    changing: [toFormButton('limit', 'Limit…', value), stop],
    showing: [buildCommandButton('Log', `log "${row.name}"`, 0)],
  };
}

function listOfEnvironment({ environmentId, name }: EnvironmentRow): RowButtons {
  const value = encodeEnvironment({ environmentId, name });
  return {
    changing: [toFormButton('credits', 'Credits…', value), toFormButton('class', 'Class…', value)],
    showing: [
      buildCommandButton('Agents', `agents env:"${environmentId}"`, 0),
      buildCommandButton('Log', `log "${environmentId}"`, 1),
    ],
  };
}

function toFormButton(form: keyof typeof FORM_ACTIONS, label: string, value: string | undefined): Button | undefined {
  return value === undefined ? undefined : buildButton(FORM_ACTIONS[form], label, value);
}

/** Slack sends clicks under these names: never rename. */
export const LIMIT_ALL_ACTION = 'admin_agents_limit_all';
export const STOP_ALL_ACTION = 'admin_agents_stop_all';
export const CLASS_ALL_ACTIONS = /^admin_environments_class_\d$/;

/** More classes would not fit beside the other buttons: `class` of one environment has all of them. */
const MAX_CLASSES = 3;

/** `className`: what the environments are to become. */
type BulkValue = PageTurn & { className?: string };

/** For a filtered list alone: nobody means all there is by a slip of the hand. */
export async function buildBulkButtons<Row extends Owned>(
  name: ListName,
  { query, result }: Found<Row>,
  { policy }: Pick<ListServices, 'policy'>,
): Promise<Button[]> {
  const count = result.rows.length;
  const isFiltered = query.words.length > 0 || query.filters.size > 0;
  if (!isFiltered || query.period !== undefined || count < 2) return [];
  const turn: BulkValue = { query: query.typed, page: 0 };
  const all = formatCredits(count);
  const build = (actionId: string, label: string, value: BulkValue) => {
    const text = JSON.stringify(value);
    return text.length > MAX_BUTTON_VALUE_LENGTH ? [] : [buildButton(actionId, label, text)];
  };
  if (name === 'agents') {
    return [
      ...build(LIMIT_ALL_ACTION, `Set one limit for all ${all}…`, turn),
      ...build(STOP_ALL_ACTION, `Stop ${all}…`, turn),
    ];
  }
  const classes = listClasses((await policy.read()).policy).slice(0, MAX_CLASSES);
  return classes.flatMap((className, nth) =>
    build(`admin_environments_class_${nth}`, `${capitalize(className)} all ${all}…`, { ...turn, className }),
  );
}

function capitalize(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}
