// What a search offers, with every key that is pressed.
import type { App, BlockSuggestion } from '@slack/bolt';
import { toAdminFailure } from '../../../../governance/admin-failure.ts';
import { parseSearchState, SEARCH_ACTION } from '../../../views/admin/search/modal.ts';
import { buildNote, buildOptions, NO_OPTIONS, type Options } from '../../../views/admin/search/options.ts';
import { NotAdminError, requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { lookUp } from './open.ts';

/** Slack waits 3 s for options: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const SUGGEST_WITHIN_MS = 2_300;

/** What is typed into the search: it comes with every key that is pressed, so nobody counts it. */
export function registerSearchOptions(app: App, ports: AdminPorts): void {
  app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: SEARCH_ACTION }, async ({ body, ack }) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Options>((resolve) => {
      timer = setTimeout(resolve, SUGGEST_WITHIN_MS, buildNote('Still looking that up…', 'Type again in a moment'));
    });
    await ack(await Promise.race([suggest(body, ports), late]));
    clearTimeout(timer);
  });
}

/** Never throws. */
async function suggest(body: BlockSuggestion, ports: AdminPorts): Promise<Options> {
  const state = parseSearchState(body.view?.private_metadata ?? '');
  if (!state) return NO_OPTIONS;
  try {
    const caller = await toCaller({ body, user: body.user.id }, ports);
    await requireAdmin(caller, ports, { isCounted: false });
    if (!(await ports.isSignedIn(caller))) return buildNote('You are not signed in any more', 'Give the command again');
    return buildOptions(await lookUp(state.command, caller, ports), String(body.value ?? ''));
  } catch (error) {
    if (error instanceof NotAdminError) return NO_OPTIONS;
    // What the service says of it stands in the modal of whoever opened it.
    if (!toAdminFailure(error)) ports.log.warn({ err: error }, 'nothing suggested');
    return buildNote('This could not be looked up', 'Give the command again in a minute');
  }
}
