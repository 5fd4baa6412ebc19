// For a command without a name: a field that suggests agents or environments while the admin types.
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, toLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { ALLOCATION_TOPIC } from '../allocations/allocation-form-views.ts';
import { type Candidate, searchCandidates } from '../inventory/inventory.ts';
import { LIMIT_TOPIC } from '../limits/limit-form-views.ts';
import { STOP_TOPIC } from '../limits/stop-kind.ts';
import type { Options } from '../shell/admin-shell.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';

/** callback_id of the modal; its private_metadata is read by parseSearchState. */
export const SEARCH_MODAL = 'admin_search';

/** What is typed comes under this action id, to be answered with options. */
export const SEARCH_ACTION = 'admin_search_pick';

/** The block id. */
export const SEARCH_FIELD = 'search';

const stateSchema = z.object({ command: z.enum(['limit', 'stop', 'run', 'allocation']), replyTo: z.string() });

/** `command`: what goes on once something is picked. `replyTo`: where the command was given. */
export type SearchState = z.infer<typeof stateSchema>;

/** What each command looks for, and in which modals it goes on. */
export const SEARCHES: Record<SearchState['command'], { kind: 'agents' | 'environments'; topic: ModalTopic }> = {
  limit: { kind: 'agents', topic: LIMIT_TOPIC },
  stop: { kind: 'agents', topic: STOP_TOPIC },
  run: { kind: 'agents', topic: STOP_TOPIC },
  allocation: { kind: 'environments', topic: ALLOCATION_TOPIC },
};

export function buildSearchModal(state: SearchState): ModalView {
  const { kind, topic } = SEARCHES[state.command];
  const { label, hint } = WORDS[kind];
  return {
    type: 'modal',
    callback_id: SEARCH_MODAL,
    title: buildPlainText(topic.title),
    submit: buildPlainText('Continue'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      {
        type: 'input',
        block_id: SEARCH_FIELD,
        label: buildPlainText(label),
        hint: buildPlainText(hint),
        element: {
          type: 'external_select',
          action_id: SEARCH_ACTION,
          placeholder: buildPlainText('Type part of the name'),
          // An empty field shows the first of all: where there are few, nothing has to be typed.
          min_query_length: 0,
        },
      },
    ],
  };
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

/** Undefined where it is not the private_metadata of a search. */
export function parseSearchState(text: string): SearchState | undefined {
  return parseState(stateSchema, text);
}

type ViewValues = Record<string, Record<string, { selected_option?: { value: string } | null }>>;

/** The value of the option that was picked. */
export function readPick(values: ViewValues): string | undefined {
  return values[SEARCH_FIELD]?.[SEARCH_ACTION]?.selected_option?.value;
}

/** With a part of the name, so that the environment is seen as well. */
const MAX_NAME_LENGTH = 45;

/** The value of a note among the options: Slack cannot show a text there that cannot be picked. */
export const NOTE = 'note';

/** Slack itself says that there are no results. */
export const NO_OPTIONS: Options = { options: [] };

export function buildOptions(
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
export function buildNote(label: string, text: string): Options {
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
