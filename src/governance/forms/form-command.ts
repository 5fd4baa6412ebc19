// `/assistant-admin limit`, `stop`, `run` and `credits`: finds what is meant, and opens its form. Without a name, suggests
// names while the admin types.
import type { ViewOutput } from '@slack/bolt';
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { english } from '../../languages/english.ts';
import { buildPlainText, toLine } from '../../slack/views/content.ts';
import { buildField, readFields } from '../../slack/views/fields.ts';
import { buildLoadingModal, buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { searchCandidates } from '../inventory/inventory.ts';
import type { Inventory } from '../inventory/inventory-cache.ts';
import { registerForms } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Admin } from '../shell/access.ts';
import { isNotAdmin, toAdminFailure } from '../shell/admin-failure.ts';
import type { AdminShell, CommandWork, Options } from '../shell/admin-shell.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/numbers.ts';
import { toPlainWidth } from '../shell/typed-text.ts';
import { CLASS_FORM } from './class-form.ts';
import { CREDITS_FORM, CREDITS_TOPIC, openCreditsForm } from './credits-form.ts';
import { LIMIT_FORM, LIMIT_TOPIC, openLimitForm } from './limit-form.ts';
import { AGENTS, ENVIRONMENTS, pick, readEnvironmentName } from './pick-form.ts';
import { openAgentStop, openEnvironmentStop, STOP_FORMS } from './stop-form.ts';
import { STOP_TOPICS } from './stop-form-views.ts';
import { FORM_ACTIONS } from './target-buttons.ts';

const stateSchema = z.object({ command: z.enum(['limit', 'stop', 'run', 'credits']), replyTo: z.string() });

/** `command`: continues when something is picked. `replyTo`: where the command was given. */
export type SearchState = z.infer<typeof stateSchema>;

export type FormCommand = SearchState['command'];

/** What a command searches, the topic of its windows, and the label of its button if several fit. */
type Searched = { kind: typeof AGENTS | typeof ENVIRONMENTS; topic: ModalTopic; label: string };

const SEARCHES: Record<SearchState['command'], Searched> = {
  limit: { kind: AGENTS, topic: LIMIT_TOPIC, label: 'Limit…' },
  stop: { kind: AGENTS, topic: STOP_TOPICS.stop, label: 'Stop…' },
  run: { kind: AGENTS, topic: STOP_TOPICS.run, label: 'Run again…' },
  credits: { kind: ENVIRONMENTS, topic: CREDITS_TOPIC, label: 'Credits…' },
};

/** `limit <agent> [credits]`, `stop` and `run <agent|env:…>`, `credits <environment> [credits]`. */
export function formCommand(command: FormCommand, text: string, services: GovernanceServices): CommandWork {
  return {
    topic: SEARCHES[command].topic,
    // Stops do not count towards the allowance, so that any number of agents can be stopped.
    check: { isCounted: command !== 'stop' },
    async open(opened) {
      // Without a name, suggest names.
      if (text.trim() === '') return openSearch(command, opened, services);
      await openForm(command, toPlainWidth(text), opened, services);
    },
  };
}

async function openForm(
  command: FormCommand,
  typed: string,
  opened: Opened,
  services: GovernanceServices,
): Promise<void> {
  const { topic, label: text } = SEARCHES[command];
  const button = { actionId: FORM_ACTIONS[command], text };
  const isOfStop = command === 'stop' || command === 'run';
  const how = { topic, button, hasAmount: !isOfStop, isUrgent: command === 'stop' };
  const environmentName = command === 'limit' ? undefined : readEnvironmentName(typed);
  if (command === 'credits' || (isOfStop && environmentName !== undefined)) {
    const environment = await pick(ENVIRONMENTS, environmentName ?? typed, how, opened, services);
    if (!environment) return;
    if (isOfStop) return openEnvironmentStop(command, environment, opened, services);
    return openCreditsForm(environment, opened, services);
  }
  const agent = await pick(AGENTS, typed, how, opened, services);
  if (!agent) return;
  if (isOfStop) return openAgentStop(command, agent, opened, services);
  return openLimitForm(agent, opened, services);
}

/** callback_id of the modal; its private_metadata is read by parseSearchState. */
const SEARCH_FORM = 'form_search';

/** The name of the field. Slack asks for options under this name while somebody types. */
const SEARCH_FIELD = 'form_search_pick';

export function buildSearchModal(state: SearchState): ModalView {
  const { kind, topic } = SEARCHES[state.command];
  const { label, hint } = kind.search;
  const frame = { id: SEARCH_FORM, title: topic.title, submit: 'Continue', metadata: JSON.stringify(state) };
  // An empty field shows the first names, so that nothing has to be typed if there are few.
  const search = { type: 'external_select' as const, min_query_length: 0 };
  const placeholder = buildPlainText('Type part of the name');
  return buildModal(frame, [buildField({ name: SEARCH_FIELD, label, hint }, { ...search, placeholder })], english);
}

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

function buildOptions({ candidates, truncated }: Inventory, typed: string): Options {
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

function buildOption({ key, id, name, where }: Inventory['candidates'][number]): PlainTextOption {
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

type Asking = Pick<Admin, 'caller' | 'openSession'>;

/** Shows the search, and meanwhile reads the inventory. */
async function openSearch(command: FormCommand, opened: Opened, services: GovernanceServices): Promise<void> {
  const { modal, replyTo } = opened;
  const [, reading] = await Promise.allSettled([
    modal.show(buildSearchModal({ command, replyTo })),
    lookUp(command, opened, services),
  ]);
  if (reading.status === 'rejected') throw reading.reason;
}

/** The candidates, cached for this admin. Throws the errors of admin-errors.ts. */
function lookUp(
  command: FormCommand,
  { caller, openSession }: Asking,
  { inventories }: GovernanceServices,
): Promise<Inventory> {
  const { noun, search } = SEARCHES[command].kind;
  return inventories.get(`${noun}s`, caller, async () => search.list(await openSession()));
}

const TOO_OLD = 'This window is too old. Give the command again.';

const PICKED_A_NOTE = 'That was only a note. Type part of the name, and pick one of the list.';

const GONE = 'What you picked is not listed any more. Give the command and search again.';

/** Slack waits 3 s for options: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const SUGGEST_WITHIN_MS = 2_300;

export function registerFormCommands(shell: AdminShell, services: GovernanceServices): void {
  registerForms(shell, [LIMIT_FORM, STOP_FORMS.stop, STOP_FORMS.run, CREDITS_FORM, CLASS_FORM], services);
  // Counted when the window was opened, unless it is of a stop.
  const check = { isCounted: false };
  shell.onSubmission({ callbackId: SEARCH_FORM, topic: topicOf, check }, async (submission) => {
    const { view, caller, openSession, toPlace } = submission;
    const topic = topicOf(view);
    const state = parseSearchState(view.private_metadata);
    if (!state) return { answer: toProblem(TOO_OLD, topic) };
    const { command, replyTo } = state;
    const key = readFields(view).chosen(SEARCH_FIELD);
    if (key === undefined || key === NOTE) {
      return { answer: { response_action: 'errors', errors: { [SEARCH_FIELD]: PICKED_A_NOTE } } };
    }
    return {
      answer: { response_action: 'update', view: buildLoadingModal(topic, english) },
      async afterwards() {
        const { modal } = toPlace(replyTo, { isWatched: true });
        try {
          const { candidates } = await lookUp(command, submission, services);
          const picked = candidates.find((candidate) => candidate.key === key);
          if (!picked) return await modal.showProblem(GONE);
          await openForm(command, picked.id, { modal, openSession, caller, replyTo }, services);
        } catch (error) {
          await modal.showFailure(error);
        }
      },
    };
  });
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

function topicOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): ModalTopic {
  return SEARCHES[parseSearchState(private_metadata)?.command ?? 'limit'].topic;
}

function toFailure(error: unknown, { log }: Pick<GovernanceServices, 'log'>): Options {
  if (isNotAdmin(error)) return NO_OPTIONS;
  // The modal already shows what the service said about it.
  if (!toAdminFailure(error)) log.warn({ err: error }, 'nothing suggested');
  return buildNote('This could not be looked up', 'Give the command again in a minute');
}
