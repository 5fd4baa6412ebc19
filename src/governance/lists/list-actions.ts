// The buttons for a row of a list, and for all rows that a filter leaves: one limit for all agents, *Stop*, and a class for
// all environments. Each makes edits, and one plan of them.
import type { Button } from '@slack/types';
import { setEdit } from '../../policy/edit.ts';
import { listClasses } from '../../policy/policy.ts';
import type { Limit } from '../../policy/values.ts';
import { buildSection, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { openClassForm } from '../forms/class-form.ts';
import { buildLimitFields, readLimitFields } from '../forms/limit-form.ts';
import { toKeptForm } from '../forms/policy-form.ts';
import { buildFormButton, encodeAgent, encodeEnvironment } from '../forms/target-buttons.ts';
import { toSeenAgent } from '../inventory/inventory.ts';
import { type FormWindow, registerForms, showForm } from '../run/kept-form.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Role } from '../shell/access.ts';
import { type AdminShell, buildCommandButton } from '../shell/admin-shell.ts';
import type { Opened } from '../shell/modal.ts';
import { formatCredits } from '../shell/numbers.ts';
import { capitalize } from '../shell/typed-text.ts';
import { type AgentRow, isStopped } from './agents-list.ts';
import type { EnvironmentRow } from './environments-list.ts';
import { buildTurn, type PageTurn, parsePageTurn } from './list-message.ts';
import type { Found, ListingServices, ListName } from './list-reader.ts';

/** Rows of a month have no buttons, because they only report. An auditor gets the buttons that only show something. */
export function buildRowButtons(name: ListName, row: unknown, role: Role): (Button | undefined)[] {
  if ('until' in (row as object)) return [];
  const { changing, showing } =
    name === 'agents' ? listOfAgent(row as AgentRow) : listOfEnvironment(row as EnvironmentRow);
  return [...(role === 'admin' ? changing : []), ...showing];
}

type RowButtons = Record<'changing' | 'showing', (Button | undefined)[]>;

function listOfAgent(row: AgentRow): RowButtons {
  const agent = toSeenAgent(row);
  const value = agent && encodeAgent(agent);
  const stop = isStopped(row) ? buildFormButton('run', 'Run…', value) : buildFormButton('stop', 'Stop…', value);
  return {
    changing: [buildFormButton('limit', 'Limit…', value), stop],
    showing: [buildCommandButton('Log', `log "${row.name}"`, 0)],
  };
}

function listOfEnvironment({ environmentId, name }: EnvironmentRow): RowButtons {
  const value = encodeEnvironment({ environmentId, name });
  return {
    changing: [buildFormButton('credits', 'Credits…', value), buildFormButton('class', 'Class…', value)],
    showing: [
      buildCommandButton('Agents', `agents env:"${environmentId}"`, 0),
      buildCommandButton('Log', `log "${environmentId}"`, 1),
    ],
  };
}

/** More would not fit beside the other buttons. *Class…* of one environment has all classes. */
const MAX_CLASSES = 3;

/** Only for a filtered list, so that nobody changes everything by mistake. */
export async function buildBulkButtons(
  name: ListName,
  { query, result }: Found,
  { policy }: Pick<GovernanceServices, 'policy'>,
): Promise<Button[]> {
  const count = result.rows.length;
  const isFiltered = query.words.length > 0 || query.filters.size > 0;
  if (!isFiltered || query.period !== undefined || count < 2) return [];
  const turn: PageTurn = { query: query.typed, page: 0 };
  const all = formatCredits(count);
  if (name === 'agents') {
    return [
      ...buildTurn(name, 'limit_all', `Set one limit for all ${all}…`, turn),
      ...buildTurn(name, 'stop_all', `Stop ${all}…`, turn),
    ];
  }
  const classes = listClasses((await policy.read()).policy).slice(0, MAX_CLASSES);
  return classes.flatMap((className, nth) =>
    buildTurn(name, `class_${nth}`, `${capitalize(className)} all ${all}…`, { ...turn, className }),
  );
}

const LOADING = 'Looking them up…';

const LIMIT_TOPIC: ModalTopic = { id: 'limit_all', title: 'One limit for all', loading: LOADING };
const STOP_TOPIC: ModalTopic = { id: 'stop_all', title: 'Stop', loading: LOADING };
const CLASS_TOPIC: ModalTopic = { id: 'class_all', title: 'Class', loading: LOADING };

const OUT_OF_DATE = 'This list is too old. Give its command again.';

const NOTHING_FITS = 'Nothing fits any more: nothing was changed.';

type AgentIds = { environmentId: string; agentId: string };

export const LIMIT_ALL_FORM = toKeptForm<(AgentIds & { currency: string })[], Limit>({
  callbackId: LIMIT_TOPIC.id,
  topic: LIMIT_TOPIC,
  tooOld: OUT_OF_DATE,
  working: 'Looking up what that changes…',
  decision: { hasUntil: true },
  read: (fields) => readLimitFields(fields),
  toEdits: (agents, limit, until) => ({
    edits: agents.map((target) => setEdit('limit', target, limit, until)),
    isUnseen: () => true,
  }),
});

export function registerListActions(shell: AdminShell, services: ListingServices): void {
  const { currency } = services;
  const button = { parse: parsePageTurn, outOfDate: OUT_OF_DATE };
  shell.onModalButton(
    { ...button, actionId: 'admin_agents_limit_all', topic: LIMIT_TOPIC },
    async ({ query }, opened) => {
      const agents = await readAgents(query, opened, services);
      if (agents.length === 0) return opened.modal.showProblem(NOTHING_FITS);
      const state = agents.map((agent) => ({ ...agent, currency }));
      await showForm(LIMIT_ALL_FORM, { state, ...buildLimitAllForm(agents.length, query) }, opened, services);
    },
  );
  shell.onModalButton(
    { ...button, actionId: 'admin_agents_stop_all', topic: STOP_TOPIC, check: { isCounted: false } },
    async ({ query }, opened) => {
      const agents = await readAgents(query, opened, services);
      if (agents.length === 0) return opened.modal.showProblem(NOTHING_FITS);
      const edits = agents.map((target) => setEdit('stop', target, true));
      await showPlan(opened, await services.engine.propose(edits, opened), services);
    },
  );
  shell.onModalButton(
    { ...button, actionId: /^admin_environments_class_\d$/, topic: CLASS_TOPIC },
    async (turn, opened) => {
      const rows = await readRows('environments', turn.query, opened, services);
      if (rows.length === 0) return opened.modal.showProblem(NOTHING_FITS);
      await openClassForm(opened, rows as { environmentId: string; name: string }[], turn.className, services);
    },
  );
  registerForms(shell, [LIMIT_ALL_FORM], services);
}

export function buildLimitAllForm(count: number, query: string): FormWindow {
  const text = `One monthly limit for the *${formatCredits(count)} agents* that fit “${toMrkdwnName(query, 100)}”.`;
  return { submit: 'Look at it', blocks: [buildSection(text), ...buildLimitFields(undefined)] };
}

/** The agents that can have a limit. */
async function readAgents(query: string, opened: Opened, services: ListingServices): Promise<AgentIds[]> {
  const rows = await readRows('agents', query, opened, services);
  return (rows as { environmentId: string | undefined; name: string }[]).flatMap(({ environmentId, name: agentId }) =>
    environmentId === undefined ? [] : [{ environmentId, agentId }],
  );
}

/** The rows that the person saw a moment ago. The plan reads the present values again. */
async function readRows(
  name: ListName,
  typed: string,
  { openSession, caller }: Pick<Opened, 'openSession' | 'caller'>,
  services: ListingServices,
): Promise<readonly unknown[]> {
  const session = services.inventories.toSession(await openSession(), caller, { isFresh: false });
  const asked = { name, typed, caller, session, timeZone: await services.timeZone(caller), isFresh: false };
  const found = await services.lists.read(asked);
  return 'problem' in found ? [] : found.result.rows;
}
