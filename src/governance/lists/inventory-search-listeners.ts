// `/assistant-admin limit`, `stop`, `run` and `allocation` without a name: suggests names while the admin types, then opens the form.
import type { ViewOutput } from '@slack/bolt';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { english } from '../../languages/english.ts';
import type { Log } from '../../log.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import { type AllocationOpenPorts, openAllocationOf } from '../allocations/allocation-form.ts';
import { nameEnvironments, readInventory, toAgentCandidates, toEnvironmentCandidates } from '../inventory/inventory.ts';
import type { Inventory, InventoryCache, SearchKind } from '../inventory/inventory-cache.ts';
import { openLimitOf } from '../limits/limit-form.ts';
import { openStopOf, type StopOpenPorts } from '../limits/stop-form.ts';
import { type AccountPorts, type Admin, NotAdminError } from '../shell/access.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell, Options } from '../shell/admin-shell.ts';
import { type Modal, type Opened, toProblem } from '../shell/modal.ts';
import {
  buildNote,
  buildOptions,
  buildSearchModal,
  NO_OPTIONS,
  NOTE,
  parseSearchState,
  readPick,
  SEARCH_ACTION,
  SEARCH_FIELD,
  SEARCH_MODAL,
  SEARCHES,
  type SearchState,
} from './inventory-search-views.ts';

/** What each command opens once it has a name. */
export const FORMS: Record<SearchState['command'], OpenForm> = {
  limit: openLimitOf,
  stop: (...args) => openStopOf('stop', ...args),
  run: (...args) => openStopOf('run', ...args),
  allocation: openAllocationOf,
};

type OpenForm = (name: string, opened: Opened, ports: FormPorts) => Promise<void>;

export type FormPorts = AllocationOpenPorts & StopOpenPorts;

const OUT_OF_DATE = 'This window is too old. Give the command again.';

const PICKED_A_NOTE = 'That was only a note. Type part of the name, and pick one of the list.';

const GONE = 'What you picked is not listed any more. Give the command and search again.';

export type PickPorts = FormPorts & SearchPorts;

/** *Continue*: the form of what was picked replaces the search. */
export function registerSearchPick(shell: AdminShell, ports: PickPorts): void {
  shell.onSubmission({ callbackId: SEARCH_MODAL, topic: topicOf }, async (submission) => {
    const { view, toPlace } = submission;
    const topic = topicOf(view);
    const state = parseSearchState(view.private_metadata);
    if (!state) return { answer: toProblem(OUT_OF_DATE, topic) };
    const key = readPick(view.state.values);
    if (key === undefined || key === NOTE) {
      return { answer: { response_action: 'errors', errors: { [SEARCH_FIELD]: PICKED_A_NOTE } } };
    }
    return {
      answer: { response_action: 'update', view: buildLoadingModal(topic, english) },
      async afterwards() {
        const { modal } = toPlace(state.replyTo, { isWatched: true });
        await goOn({ ...state, key, modal }, submission, ports).catch(modal.showFailure);
      },
    };
  });
}

function topicOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): ModalTopic {
  return SEARCHES[parseSearchState(private_metadata)?.command ?? 'limit'].topic;
}

type Picked = SearchState & { key: string; modal: Modal };

async function goOn({ command, key, modal, replyTo }: Picked, admin: Admin, ports: PickPorts): Promise<void> {
  const { candidates } = await lookUp(command, admin, ports);
  const picked = candidates.find((candidate) => candidate.key === key);
  if (!picked) return modal.showProblem(GONE);
  const opened = { modal, session: await admin.openSession(), caller: admin.caller, replyTo };
  await FORMS[command](picked.id, opened, ports);
}

export type SearchPorts = { inventories: Pick<InventoryCache, 'get'> };

/** Shows the search, and meanwhile reads the inventory. */
export async function openSearch(
  command: SearchState['command'],
  { modal, session, caller, replyTo }: Opened,
  ports: SearchPorts,
): Promise<void> {
  const [, reading] = await Promise.allSettled([
    modal.show(buildSearchModal({ command, replyTo })),
    lookUp(command, { caller, openSession: async () => session }, ports),
  ]);
  if (reading.status === 'rejected') throw reading.reason;
}

/** What there is to pick from, as it is kept for this admin. */
function lookUp(
  command: SearchState['command'],
  { caller, openSession }: Admin,
  { inventories }: SearchPorts,
): Promise<Inventory> {
  const { kind } = SEARCHES[command];
  return inventories.get(kind, caller, async () => readCandidates(kind, await openSession()));
}

/** All that there is to pick from, in the name of one admin. Throws the errors of admin-errors.ts. */
async function readCandidates(kind: SearchKind, session: AdminSession): Promise<Inventory> {
  if (kind === 'environments') {
    const { rows, truncated } = await session.findEnvironments();
    return { candidates: toEnvironmentCandidates(nameEnvironments(rows)), truncated };
  }
  const { rows, truncated } = await readInventory(session);
  return { candidates: toAgentCandidates(rows), truncated };
}

/** Slack waits 3 s for options: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const SUGGEST_WITHIN_MS = 2_300;

export type SuggestPorts = SearchPorts & AccountPorts & { log: Log };

/** What is typed into the search. */
export function registerSearchOptions(shell: AdminShell, ports: SuggestPorts): void {
  const suggesting = {
    actionId: SEARCH_ACTION,
    withinMs: SUGGEST_WITHIN_MS,
    late: buildNote('Still looking that up…', 'Type again in a moment'),
    toFailure: (error: unknown) => toFailure(error, ports),
  };
  shell.onSuggestion(suggesting, async (body, admin) => {
    const state = parseSearchState(body.view?.private_metadata ?? '');
    if (!state) return NO_OPTIONS;
    const account = await ports.adminAccount(admin.caller);
    if (!account?.isSignedIn) return buildNote('You are not signed in any more', 'Give the command again');
    return buildOptions(await lookUp(state.command, admin, ports), String(body.value ?? ''));
  });
}

function toFailure(error: unknown, { log }: SuggestPorts): Options {
  if (error instanceof NotAdminError) return NO_OPTIONS;
  // The modal already shows what the service said about it.
  if (!toAdminFailure(error)) log.warn({ err: error }, 'nothing suggested');
  return buildNote('This could not be looked up', 'Give the command again in a minute');
}
