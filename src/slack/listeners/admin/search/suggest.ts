// What a search offers, with every key that is pressed.
import type { Person } from '../../../../conversation/person.ts';
import { parseSearchState, SEARCH_ACTION } from '../../../../governance/lists/inventory-search-views.ts';
import { NotAdminError } from '../../../../governance/shell/access.ts';
import { toAdminFailure } from '../../../../governance/shell/admin-failure.ts';
import type { AdminShell, Options } from '../../../../governance/shell/admin-shell.ts';
import type { Log } from '../../../../log.ts';
import { buildNote, buildOptions, NO_OPTIONS } from '../../../views/admin/search/options.ts';
import { lookUp, type SearchPorts } from './open.ts';

/** Slack waits 3 s for options: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const SUGGEST_WITHIN_MS = 2_300;

export type SuggestPorts = SearchPorts & {
  /** Whether this person has signed in for administration. Quick: it asks the store alone. */
  isSignedIn(person: Person): Promise<boolean>;
  log: Log;
};

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
    const isSignedIn = await ports.isSignedIn(admin.caller);
    if (!isSignedIn) return buildNote('You are not signed in any more', 'Give the command again');
    return buildOptions(await lookUp(state.command, admin, ports), String(body.value ?? ''));
  });
}

function toFailure(error: unknown, { log }: SuggestPorts): Options {
  if (error instanceof NotAdminError) return NO_OPTIONS;
  // What the service says of it stands in the modal of whoever opened it.
  if (!toAdminFailure(error)) log.warn({ err: error }, 'nothing suggested');
  return buildNote('This could not be looked up', 'Give the command again in a minute');
}
