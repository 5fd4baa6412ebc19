// Where a command names no agent or environment: a field that finds it while its name is typed.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText } from '../../slack/views/content.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC, type ModalTopic } from '../../slack/views/modal.ts';

/** callback_id of the modal; its private_metadata is read by parseSearchState. */
export const SEARCH_MODAL = 'admin_search';

/** What is typed comes under this action id, to be answered with options. */
export const SEARCH_ACTION = 'admin_search_pick';

/** The block id. */
export const SEARCH_FIELD = 'search';

const stateSchema = z.object({ command: z.enum(['limit', 'allocation']), replyTo: z.string() });

/** `command`: what goes on once something is picked. `replyTo`: where the command was given. */
export type SearchState = z.infer<typeof stateSchema>;

/** What each command looks for, and in which modals it goes on. */
export const SEARCHES: Record<SearchState['command'], { kind: 'agents' | 'environments'; topic: ModalTopic }> = {
  limit: { kind: 'agents', topic: LIMIT_TOPIC },
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
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type ViewValues = Record<string, Record<string, { selected_option?: { value: string } | null }>>;

/** The value of the option that was picked. */
export function readPick(values: ViewValues): string | undefined {
  return values[SEARCH_FIELD]?.[SEARCH_ACTION]?.selected_option?.value;
}
