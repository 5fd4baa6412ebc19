// What was picked in a search, and the command goes on with it.
import type { App } from '@slack/bolt';
import type { Caller } from '../../../../governance/is-admin.ts';
import { buildLoadingModal } from '../../../views/admin/modal-topic.ts';
import {
  parseSearchState,
  readPick,
  SEARCH_FIELD,
  SEARCH_MODAL,
  SEARCHES,
  type SearchState,
} from '../../../views/admin/search/modal.ts';
import { NOTE } from '../../../views/admin/search/options.ts';
import { windowOf } from '../../../window.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { openAllocationOf } from '../allocation/open.ts';
import { ACKNOWLEDGEMENT_LEAD_MS } from '../apply-change.ts';
import { toFailureSentence } from '../failure-message.ts';
import { openLimitOf } from '../limit/open.ts';
import { toModal, toProblem } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';
import { lookUp, type Searching } from './open.ts';

const OPENERS = { limit: openLimitOf, allocation: openAllocationOf } satisfies Record<SearchState['command'], unknown>;

const OUT_OF_DATE = 'This window is too old. Give the command again.';

const PICKED_A_NOTE = 'That was only a note. Type part of the name, and pick one of the list.';

const GONE = 'What you picked is not listed any more. Give the command again, and look for it anew.';

/** *Continue*: what is picked takes the place of the search. */
export function registerSearchPick(app: App, ports: AdminPorts): void {
  app.view({ callback_id: SEARCH_MODAL, type: 'view_submission' }, async ({ view, body, ack }) => {
    const state = parseSearchState(view.private_metadata);
    if (!state) return ack(toProblem(OUT_OF_DATE));
    const { command, replyTo } = state;
    const { topic } = SEARCHES[command];
    try {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const key = readPick(view.state.values);
      if (key === undefined || key === NOTE) {
        return await ack({ response_action: 'errors', errors: { [SEARCH_FIELD]: PICKED_A_NOTE } });
      }
      await ack({ response_action: 'update', view: buildLoadingModal(topic) });
      const say = createSay(body, ports, replyTo);
      const opening = { body, user: caller.user, caller, say, replyTo, viewId: view.id };
      startSaying(say, ports, () => goOn({ command, key }, opening, ports));
    } catch (error) {
      await ack(toProblem(toFailureSentence(error, ports.log), topic));
    }
  });
}

async function goOn(
  { command, key }: { command: SearchState['command']; key: string },
  opening: Searching & { caller: Caller; viewId: string },
  ports: AdminPorts,
): Promise<void> {
  const modal = toModal(windowOf(opening, ports), { ...opening, topic: SEARCHES[command].topic }, ports);
  // What came before the loading modal would be covered by it.
  await new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  try {
    const { candidates } = await lookUp(command, opening.caller, ports);
    const picked = candidates.find((candidate) => candidate.key === key);
    if (!picked) return await modal.showProblem(GONE);
    await OPENERS[command](picked.id, opening, ports);
  } catch (error) {
    await modal.showFailure(error);
  }
}
