// `/assistant-admin limit`, `stop`, `run` and `credits` without a name: suggests names while the admin types, then opens the form.
import type { ViewOutput } from '@slack/bolt';
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildPlainText, toLine } from '../../slack/views/content.ts';
import { buildField, readFields } from '../../slack/views/fields.ts';
import { buildLoadingModal, buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import {
  type Candidate,
  searchCandidates,
  toAgentCandidates,
  toEnvironmentCandidates,
} from '../inventory/inventory.ts';
import type { Inventory } from '../inventory/inventory-cache.ts';
import type { GovernanceServices } from '../services.ts';
import type { Admin } from '../shell/access.ts';
import { isNotAdmin, toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell, Options } from '../shell/admin-shell.ts';
import { type Modal, type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/numbers.ts';
import { CREDITS_TOPIC } from './credits-form-views.ts';
import { LIMIT_TOPIC } from './limit-form-views.ts';
import { AGENTS, ENVIRONMENTS } from './pick-form.ts';
import { STOP_TOPICS } from './stop-form-views.ts';

/** callback_id of the modal; its private_metadata is read by parseSearchState. */
const SEARCH_FORM = 'form_search';

/** The name of the field. Slack asks for options under this name while somebody types. */
const SEARCH_FIELD = 'form_search_pick';

const stateSchema = z.object({ command: z.enum(['limit', 'stop', 'run', 'credits']), replyTo: z.string() });

/** `command`: continues when something is picked. `replyTo`: where the command was given. */
export type SearchState = z.infer<typeof stateSchema>;

/** What a command searches, the topic of its windows, and the label of its button if several fit. */
type Searched = { kind: 'agents' | 'environments'; topic: ModalTopic; label: string };

export const SEARCHES: Record<SearchState['command'], Searched> = {
  limit: { kind: 'agents', topic: LIMIT_TOPIC, label: 'Limit…' },
  stop: { kind: 'agents', topic: STOP_TOPICS.stop, label: 'Stop…' },
  run: { kind: 'agents', topic: STOP_TOPICS.run, label: 'Run again…' },
  credits: { kind: 'environments', topic: CREDITS_TOPIC, label: 'Credits…' },
};

export function buildSearchModal(state: SearchState): ModalView {
  const { kind, topic } = SEARCHES[state.command];
  const { label, hint } = WORDS[kind];
  const frame = { id: SEARCH_FORM, title: topic.title, submit: 'Continue', metadata: JSON.stringify(state) };
  // An empty field shows the first names, so that nothing has to be typed if there are few.
  const search = { type: 'external_select' as const, min_query_length: 0 };
  const placeholder = buildPlainText('Type part of the name');
  return buildModal(frame, [buildField({ name: SEARCH_FIELD, label, hint }, { ...search, placeholder })], english);
}

const WORDS = {
  agents: {
    label: 'Agent',
    hint: 'Its name, its id and the name of its environment are searched. New agents may take a while to be listed.',
  },
  environments: {
    label: 'Environment',
    hint: 'Its name and its id are searched. New environments may take a while to be listed.',
  },
};

/** Undefined: `text` is not the private_metadata of a search. */
function parseSearchState(text: string): SearchState | undefined {
  return parseState(stateSchema, text);
}

/** Short enough to leave room for the environment. */
const MAX_NAME_LENGTH = 45;

/** The value of a note among the options: Slack cannot show a text there that cannot be picked. */
const NOTE = 'note';

/** Slack itself says that there are no results. */
const NO_OPTIONS: Options = { options: [] };

function buildOptions(
  { candidates, truncated }: { candidates: readonly Candidate[]; truncated: boolean },
  typed: string,
): Options {
  const { found, total } = searchCandidates(candidates, typed, MAX_OPTIONS);
  if (found.length === 0)
    return truncated ? buildNote('Nothing found', 'The service did not list everything') : NO_OPTIONS;
  const options = found.map(buildOption);
  const notes = [
    ...(total > found.length ? [`The first ${found.length} of ${formatCredits(total)}: type more of the name`] : []),
    ...(truncated ? ['Not everything is listed'] : []),
  ];
  if (notes.length === 0) return { options };
  return { option_groups: [{ label: buildPlainText(toLine(notes.join(' · '), MAX_OPTION_TEXT_LENGTH)), options }] };
}

/** If there is nothing to offer, says why. If it is picked anyway, the field shows an error: see NOTE. */
function buildNote(label: string, text: string): Options {
  return { option_groups: [{ label: buildPlainText(label), options: [{ text: buildPlainText(text), value: NOTE }] }] };
}

function buildOption({ key, id, name, where }: Candidate): PlainTextOption {
  const shown =
    toLine(name, where === undefined ? MAX_OPTION_TEXT_LENGTH : MAX_NAME_LENGTH) || toLine(id, MAX_NAME_LENGTH);
  const text = where === undefined ? shown : toLine(`${shown} · ${where}`, MAX_OPTION_TEXT_LENGTH);
  // Names may be alike, ids are not.
  return {
    text: buildPlainText(text || '?'),
    value: key,
    description: buildPlainText(toLine(id, MAX_OPTION_TEXT_LENGTH) || '?'),
  };
}

type Command = SearchState['command'];

type Asking = Pick<Admin, 'caller' | 'openSession'>;

/** Shows the search, and meanwhile reads the inventory. */
export async function openSearch(
  command: Command,
  { modal, openSession, caller, replyTo }: Opened,
  services: GovernanceServices,
): Promise<void> {
  const [, reading] = await Promise.allSettled([
    modal.show(buildSearchModal({ command, replyTo })),
    lookUp(command, { caller, openSession }, services),
  ]);
  if (reading.status === 'rejected') throw reading.reason;
}

/** The candidates, cached for this admin. Throws the errors of admin-errors.ts. */
function lookUp(
  command: Command,
  { caller, openSession }: Asking,
  { inventories }: GovernanceServices,
): Promise<Inventory> {
  const { kind } = SEARCHES[command];
  return inventories.get(kind, caller, async () => {
    const session = await openSession();
    if (kind === 'agents') {
      const { rows, truncated } = await AGENTS.list(session);
      return { candidates: toAgentCandidates(rows), truncated };
    }
    const { rows, truncated } = await ENVIRONMENTS.list(session);
    return { candidates: toEnvironmentCandidates(rows), truncated };
  });
}

const TOO_OLD = 'This window is too old. Give the command again.';

const PICKED_A_NOTE = 'That was only a note. Type part of the name, and pick one of the list.';

const GONE = 'What you picked is not listed any more. Give the command and search again.';

/** What each command opens once it has a name. */
export type OpenForm = (command: Command, name: string, opened: Opened) => Promise<void>;

export function registerSearch(shell: AdminShell, openForm: OpenForm, services: GovernanceServices): void {
  // Counted when the window was opened, unless it is of a stop.
  const check = { isCounted: false };
  shell.onSubmission({ callbackId: SEARCH_FORM, topic: topicOf, check }, async (submission) => {
    const { view, toPlace } = submission;
    const topic = topicOf(view);
    const state = parseSearchState(view.private_metadata);
    if (!state) return { answer: toProblem(TOO_OLD, topic) };
    const key = readFields(view).chosen(SEARCH_FIELD);
    if (key === undefined || key === NOTE) {
      return { answer: { response_action: 'errors', errors: { [SEARCH_FIELD]: PICKED_A_NOTE } } };
    }
    return {
      answer: { response_action: 'update', view: buildLoadingModal(topic, english) },
      async afterwards() {
        const { modal } = toPlace(state.replyTo, { isWatched: true });
        await goOn({ ...state, key, modal }, { asking: submission, openForm }, services).catch(modal.showFailure);
      },
    };
  });
  registerOptions(shell, services);
}

function topicOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): ModalTopic {
  return SEARCHES[parseSearchState(private_metadata)?.command ?? 'limit'].topic;
}

async function goOn(
  { command, key, modal, replyTo }: SearchState & { key: string; modal: Modal },
  { asking, openForm }: { asking: Asking; openForm: OpenForm },
  services: GovernanceServices,
): Promise<void> {
  const { candidates } = await lookUp(command, asking, services);
  const picked = candidates.find((candidate) => candidate.key === key);
  if (!picked) return modal.showProblem(GONE);
  const { caller, openSession } = asking;
  await openForm(command, picked.id, { modal, openSession, caller, replyTo });
}

/** Slack waits 3 s for options: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const SUGGEST_WITHIN_MS = 2_300;

/** Answers what is typed into the search. */
function registerOptions(shell: AdminShell, services: GovernanceServices): void {
  const suggesting = {
    actionId: SEARCH_FIELD,
    withinMs: SUGGEST_WITHIN_MS,
    late: buildNote('Still looking that up…', 'Type again in a moment'),
    toFailure: (error: unknown) => toFailure(error, services),
  };
  shell.onSuggestion(suggesting, async (body, admin) => {
    const state = parseSearchState(body.view?.private_metadata ?? '');
    if (!state) return NO_OPTIONS;
    const account = await services.adminAccount(admin.caller);
    if (!account?.isSignedIn) return buildNote('You are not signed in any more', 'Give the command again');
    return buildOptions(await lookUp(state.command, admin, services), String(body.value ?? ''));
  });
}

function toFailure(error: unknown, { log }: Pick<GovernanceServices, 'log'>): Options {
  if (isNotAdmin(error)) return NO_OPTIONS;
  // The modal already shows what the service said about it.
  if (!toAdminFailure(error)) log.warn({ err: error }, 'nothing suggested');
  return buildNote('This could not be looked up', 'Give the command again in a minute');
}
