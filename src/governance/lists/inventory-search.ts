// What was picked in a search, and the command goes on with it.
import type { ViewOutput } from '@slack/bolt';
import { lookUp, type SearchPorts } from '../../slack/listeners/admin/search/open.ts';
import { NOTE } from '../../slack/views/admin/search/options.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import { type AllocationOpenPorts, openAllocationOf } from '../allocations/allocation-form.ts';
import { ACKNOWLEDGEMENT_LEAD_MS } from '../confirmation/confirmed-change.ts';
import { type LimitOpenPorts, openLimitOf } from '../limits/limit-form.ts';
import type { Admin } from '../shell/access.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { type Modal, toProblem } from '../shell/modal.ts';
import {
  parseSearchState,
  readPick,
  SEARCH_FIELD,
  SEARCH_MODAL,
  SEARCHES,
  type SearchState,
} from './inventory-search-views.ts';

const OPENERS = { limit: openLimitOf, allocation: openAllocationOf } satisfies Record<SearchState['command'], unknown>;

const OUT_OF_DATE = 'This window is too old. Give the command again.';

const PICKED_A_NOTE = 'That was only a note. Type part of the name, and pick one of the list.';

const GONE = 'What you picked is not listed any more. Give the command again, and look for it anew.';

export type PickPorts = AllocationOpenPorts & LimitOpenPorts & SearchPorts;

/** *Continue*: what is picked takes the place of the search. */
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
      answer: { response_action: 'update', view: buildLoadingModal(topic) },
      async afterwards() {
        const { modal } = toPlace(state.replyTo, { isWatched: true });
        await goOn({ ...state, key, modal }, submission, ports).catch(modal.showFailure);
      },
    };
  });
}

/** One of an earlier release names none. */
function topicOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): ModalTopic {
  return SEARCHES[parseSearchState(private_metadata)?.command ?? 'limit'].topic;
}

type Picked = SearchState & { key: string; modal: Modal };

async function goOn({ command, key, modal, replyTo }: Picked, admin: Admin, ports: PickPorts): Promise<void> {
  // What came before the loading modal would be covered by it.
  await new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  const { candidates } = await lookUp(command, admin, ports);
  const picked = candidates.find((candidate) => candidate.key === key);
  if (!picked) return modal.showProblem(GONE);
  const opened = { modal, session: await admin.openSession(), caller: admin.caller, replyTo };
  await OPENERS[command](picked.id, opened, ports);
}
