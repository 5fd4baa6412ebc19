// What can be done with a row of a list, and with all rows that a filter leaves: one limit for all agents, *Stop*, and a
// class for all environments. Each makes edits, and one plan of them.
import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildButton, buildPlainText, buildSection, toMrkdwnName } from '../../slack/views/content.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { openClassForm } from '../forms/class-form.ts';
import { buildLimitFields, readLimitFields } from '../forms/limit-form-views.ts';
import { encodeAgent, encodeEnvironment, FORM_ACTIONS } from '../forms/target-buttons.ts';
import { toSeenAgent } from '../inventory/seen-agent.ts';
import { type Edit, setEdit } from '../policy/edit.ts';
import { listClasses } from '../policy/policy.ts';
import type { Limit } from '../policy/values.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Role } from '../shell/access.ts';
import { type AdminShell, buildCommandButton, type Submission } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type AgentRow, isStopped } from './agents-list.ts';
import type { EnvironmentRow } from './environments-list.ts';
import type { ListServices } from './list.ts';
import type { PageTurn } from './list-message.ts';
import type { Found, ListName, ListReader } from './list-reader.ts';

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
const LIMIT_ALL_ACTION = 'admin_agents_limit_all';
const STOP_ALL_ACTION = 'admin_agents_stop_all';
const CLASS_ALL_ACTIONS = /^admin_environments_class_\d$/;

/** More classes would not fit beside the other buttons: `class` of one environment has all of them. */
const MAX_CLASSES = 3;

/** `className`: what the environments are to become. */
type BulkValue = PageTurn & { className?: string };

/** For a filtered list alone: nobody means all there is by a slip of the hand. */
export async function buildBulkButtons(
  name: ListName,
  { query, result }: Found,
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

type BulkServices = GovernanceServices & { lists: ListReader };

const LIMIT_TOPIC: ModalTopic = { id: 'limit_all', title: 'One limit for all', loading: 'Looking them up…' };
const STOP_TOPIC: ModalTopic = { id: 'stop_all', title: 'Stop', loading: 'Looking them up…' };
const CLASS_TOPIC: ModalTopic = { id: 'class_all', title: 'Class', loading: 'Looking them up…' };

const OUT_OF_DATE = 'This list is too old. Give its command again.';

const NOTHING_FITS = 'Nothing fits any more: nothing was changed.';

const turnSchema = z.object({ query: z.string(), className: z.string().optional() });
const stateSchema = z.object({ query: z.string(), replyTo: z.string() });

const parseTurn = (value: string) => parseState(turnSchema, value);

export function registerListActions(shell: AdminShell, services: BulkServices): void {
  const button = { parse: parseTurn, outOfDate: OUT_OF_DATE };
  shell.onModalButton({ ...button, actionId: LIMIT_ALL_ACTION, topic: LIMIT_TOPIC }, async ({ query }, opened) => {
    const rows = await readAgents(query, opened, services);
    if (rows.length === 0) return opened.modal.showProblem(NOTHING_FITS);
    await opened.modal.show(buildLimitAllForm(rows.length, { query, replyTo: opened.replyTo }));
  });
  shell.onModalButton({ ...button, actionId: STOP_ALL_ACTION, topic: STOP_TOPIC }, async ({ query }, opened) => {
    const rows = await readAgents(query, opened, services);
    await plan(
      rows.map((target) => setEdit('stop', target, true)),
      opened,
      services,
    );
  });
  shell.onModalButton({ ...button, actionId: CLASS_ALL_ACTIONS, topic: CLASS_TOPIC }, async (turn, opened) => {
    const rows = await readRows('environments', turn.query, opened, services);
    if (rows.length === 0) return opened.modal.showProblem(NOTHING_FITS);
    await openClassForm(opened, rows as { environmentId: string; name: string }[], turn.className, services);
  });
  shell.onSubmission({ callbackId: LIMIT_TOPIC.id, topic: LIMIT_TOPIC, isFresh: true }, async (submission) =>
    submit(submission, services),
  );
}

export function buildLimitAllForm(count: number, { query, replyTo }: z.infer<typeof stateSchema>): ModalView {
  const text = `One monthly limit for the *${formatCredits(count)} agents* that fit “${toMrkdwnName(query, 100)}”.`;
  return {
    type: 'modal',
    callback_id: LIMIT_TOPIC.id,
    title: buildPlainText(LIMIT_TOPIC.title),
    submit: buildPlainText('Look at it'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({ query, replyTo }),
    blocks: [buildSection(text), ...buildLimitFields(undefined)],
  };
}

async function submit(submission: Submission, services: BulkServices) {
  const { view, caller, openSession, toPlace } = submission;
  const state = parseState(stateSchema, view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, LIMIT_TOPIC) };
  const filled = readLimitFields(view.state.values as FormValues);
  if ('errors' in filled) return { answer: { response_action: 'errors' as const, errors: filled.errors } };
  return {
    answer: { response_action: 'update' as const, view: buildLoadingModal(LIMIT_TOPIC, english) },
    async afterwards() {
      const { modal } = toPlace(state.replyTo, { isWatched: true });
      const work = async () => {
        const opened = { modal, caller, session: await openSession(), openSession, replyTo: state.replyTo };
        const rows = await readAgents(state.query, opened, services);
        await plan(toLimitEdits(rows, filled.limit, services), opened, services);
      };
      await work().catch(modal.showFailure);
    },
  };
}

type AgentIds = { environmentId: string; agentId: string };

function toLimitEdits(rows: readonly AgentIds[], limit: Limit, { currency }: Pick<BulkServices, 'currency'>): Edit[] {
  return rows.map((target) => setEdit('limit', { ...target, currency }, limit));
}

async function plan(edits: readonly Edit[], opened: Opened, services: BulkServices): Promise<void> {
  if (edits.length === 0) return opened.modal.showProblem(NOTHING_FITS);
  await showPlan(opened, await services.engine.propose(edits, opened), services);
}

/** Those that a limit can be set of. */
async function readAgents(query: string, opened: Opened, services: BulkServices): Promise<AgentIds[]> {
  const rows = await readRows('agents', query, opened, services);
  return (rows as { environmentId: string | undefined; name: string }[]).flatMap(({ environmentId, name: agentId }) =>
    environmentId === undefined ? [] : [{ environmentId, agentId }],
  );
}

/** As they were listed a moment ago, so that it is what somebody saw; the plan reads anew what it changes. */
async function readRows(
  name: ListName,
  typed: string,
  { session: own, caller }: Pick<Opened, 'session' | 'caller'>,
  services: BulkServices,
): Promise<readonly unknown[]> {
  const session = services.inventories.toSession(own, caller, { isFresh: false });
  const asked = { name, typed, caller, session, timeZone: await services.timeZone(caller), isFresh: false };
  const found = await services.lists.read(asked);
  return 'problem' in found ? [] : found.result.rows;
}
