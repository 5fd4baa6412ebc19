/** The pages a browser sees while somebody signs in with Slack. */

import { escapeHtml } from '../../loopback/render-page.ts';
import type { SignedIn } from '../browser-session.ts';
import { hiddenFields, page } from './page.ts';

/** `back`: where the browser was going. */
export function choosePersonPage(people: readonly SignedIn[], back: string): string {
  const isOneTeam = new Set(people.map(({ world }) => world)).size === 1;
  const rows = people.map(({ world, user }) => {
    const { team } = world.workspace;
    const query = new URLSearchParams({ user: user.id, team: team.id, back });
    const name = isOneTeam ? user.realName : `${user.realName} (${team.name})`;
    return `<li><a href="/sandbox/login?${escapeHtml(query.toString())}">${escapeHtml(name)}</a></li>`;
  });
  return page(
    'Who are you in this Slack?',
    `<p>This browser is not signed in to the sandbox's Slack.</p><ul>${rows.join('')}</ul>`,
  );
}

/** `form` holds what the authorization request asked for; it comes back with the decision. */
export function consentPage({ world, user }: SignedIn, form: URLSearchParams): string {
  return page(
    `Sign in to ${world.workspace.team.name}`,
    `<p>You are <strong>${escapeHtml(user.realName)}</strong>. The app will see who you are.</p>
<form method="post" action="/openid/connect/authorize">${hiddenFields(form)}
<button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></form>`,
  );
}

export function signedInPage({ world, user }: SignedIn): string {
  return page(
    'Signed in',
    `<p>This browser is now <strong>${escapeHtml(user.realName)}</strong> of ${escapeHtml(world.workspace.team.name)} in the sandbox's Slack.</p>`,
  );
}
