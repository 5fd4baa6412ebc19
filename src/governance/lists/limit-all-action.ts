// *Set one limit for all…* below `/assistant-admin limits`: one limit for all agents that the filters leave, as a bulk change.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildSection } from '../../slack/views/content.ts';
import { type PreviewPorts, showPreview } from '../bulk/bulk-confirm-action.ts';
import { readStopped } from '../bulk/bulk-form-views.ts';
import { buildBulkNotice } from '../bulk/bulk-preview-views.ts';
import { createPacedSession } from '../bulk/paced-session.ts';
import { readingOnce } from '../bulk/slack-plan-items.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { GovernedAgent } from '../inventory/agent-limit.ts';
import type { InventoryCache } from '../inventory/inventory-cache.ts';
import { readLimitForm, toLimitErrors } from '../limits/limit-form-views.ts';
import { parseLimitForm } from '../limits/limit-plan.ts';
import type { Admin } from '../shell/access.ts';
import { optional } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { type Opened, orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import { toSearchText } from '../shell/typed-text.ts';
import {
  buildLimitAllForm,
  describeLimitAll,
  LIMIT_ALL_FORM,
  LIMIT_ALL_TOPIC,
  type Listed,
  listCurrencies,
  parseLimitAllState,
  readCurrency,
} from './limit-all-views.ts';
import { findSettable } from './list-limits.ts';
import { parsePageTurn } from './list-message.ts';
import { type OwnerPort, readListFilter } from './name-owners.ts';
import { type LimitForAll, planLimitForAll } from './slack-limit-all-plan.ts';

export type LimitAllPorts = FailurePorts &
  PreviewPorts & {
    changes: ChangeStore;
    owners: OwnerPort;
    inventories: Pick<InventoryCache, 'toSession'>;
    /** The one that is configured. */
    currency: string;
  };

const BUTTON_OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

const FORM_OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin limits.';

const WORKING = 'Looking at what is set now, for each agent. That may take a minute…';

/** As many as a review keeps. */
const MAX_AGENTS = 10_000;

const TOO_MANY =
  'These are more than 10,000 agents. Give the command with a filter, such as /assistant-admin limits none.';

/** Allocations are read one by one: the currencies of as many environments tell enough to choose from. */
const MAX_READ = 20;
const READS_AT_ONCE = 4;

export function registerLimitAll(shell: AdminShell, ports: LimitAllPorts): void {
  const button = {
    actionId: LIMIT_ALL_TOPIC.id,
    topic: LIMIT_ALL_TOPIC,
    parse: parsePageTurn,
    outOfDate: BUTTON_OUT_OF_DATE,
  };
  shell.onModalButton(button, ({ query }, opened) => showForm(query, opened, ports));
  const form = { callbackId: LIMIT_ALL_FORM, topic: LIMIT_ALL_TOPIC, isFresh: true };
  shell.onSubmission(form, async (submission) => submit(submission, ports));
}

async function showForm(
  query: string,
  { modal, session, caller, replyTo }: Opened,
  ports: LimitAllPorts,
): Promise<void> {
  // The form says what the list showed: the preview looks again.
  const found = await find(query, ports.inventories.toSession(session, caller, { isFresh: false }), caller, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const currencies = listCurrencies(ports.currency, await readCurrencies(found.agents, session));
  await modal.show(buildLimitAllForm(found.listed, currencies, { query, replyTo }));
}

type Found = { listed: Listed; agents: GovernedAgent[] } | { problem: string };

async function find(query: string, session: AdminSession, caller: Caller, ports: LimitAllPorts): Promise<Found> {
  const parsed = await readListFilter('limits', toSearchText(query), { ...ports, caller });
  if (!parsed.ok) return { problem: parsed.sentence };
  const { filter } = parsed;
  const { agents, ...rest } = await findSettable(filter, { ...ports, session });
  if (agents.length > MAX_AGENTS) return { problem: TOO_MANY };
  return { agents, listed: { ...rest, filter, count: agents.length } };
}

/** Those that cannot be read are left out: the configured one is always there. */
async function readCurrencies(agents: readonly GovernedAgent[], session: AdminSession): Promise<string[]> {
  const ids = [...new Set(agents.map(({ environmentId }) => environmentId))].slice(0, MAX_READ);
  const read = await mapConcurrently(ids, READS_AT_ONCE, (id) => optional(session.readAllocation(id)));
  return read.flatMap((one) => (typeof one === 'string' ? [] : one.currencyAllocations)).map((one) => one.currencyType);
}

function submit({ view, caller, openSession, toPlace }: Submission, ports: LimitAllPorts): Answer {
  const state = parseLimitAllState(view.private_metadata);
  if (!state) return { answer: toProblem(FORM_OUT_OF_DATE, LIMIT_ALL_TOPIC) };
  const { values } = view.state;
  const parsed = parseLimitForm(readLimitForm(values), { asksForStopDecision: false });
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: toLimitErrors(parsed.errors) } };
  const currency = readCurrency(values);
  const currencyType = currency === ports.currency ? undefined : currency;
  const wish = { wanted: parsed.wanted, stopDecision: readStopped(values), currencyType };
  return {
    answer: { response_action: 'update', view: buildBulkNotice([buildSection(WORKING)]) },
    afterwards() {
      const place = toPlace(state.replyTo);
      const work = () => preview(wish, { ...state, caller, openSession, ...place }, ports);
      return orTellFailure(work, place, (error) => toFailureMessage(error, ports));
    },
  };
}

/** What is changed is the list as it is now. */
async function preview(
  wish: LimitForAll,
  { query, replyTo, caller, openSession, modal }: Admin & Place & { query: string; replyTo?: string | undefined },
  ports: LimitAllPorts,
): Promise<void> {
  const wait = async (ms: number) => void (await sleep(ms));
  // What the filter was held against is what the plan is made from.
  const session = readingOnce(createPacedSession(await openSession(), { now: ports.now, wait }).session);
  const found = await find(query, session, caller, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const plan = await planLimitForAll(found.agents, wish, { ...ports, session });
  await showPreview(plan, describeLimitAll(found.listed, wish), { caller, modal, replyTo }, ports);
}
