// *Set one limit for all N…* and *Stop N…* of a filtered list: edits for each agent, and one plan. *Maker all N…* of
// environments goes on in the window of classes.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildPlainText, buildSection, toMrkdwnName } from '../../slack/views/content.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import { openClassForm } from '../forms/class-form.ts';
import { buildLimitFields, readLimitFields } from '../forms/limit-form-views.ts';
import { type Edit, setEdit } from '../policy/edit.ts';
import type { Limit } from '../policy/values.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { CLASS_ALL_ACTIONS, LIMIT_ALL_ACTION, STOP_ALL_ACTION } from './list-buttons.ts';
import type { ListName, ListReader } from './list-reader.ts';

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
        const opened = { modal, caller, session: await openSession(), replyTo: state.replyTo };
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
  const found = await services.lists.read(asked, async ({ result }): Promise<readonly unknown[]> => result.rows);
  return 'problem' in found ? [] : found;
}
