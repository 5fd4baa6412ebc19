/** The pages a browser sees while somebody signs in with Slack, or installs the app. */
import { escapeHtml, renderPage } from '../../loopback/render-page.ts';
import type { SignedIn } from '../browser-session.ts';

/** The frame of every page that this Slack shows in a browser. */
export function page(title: string, body: string): string {
  return renderPage('Slack, simulated', title, body);
}

export function problemPage(problem: string): string {
  return page('Something is wrong with this sign-in', `<p>${escapeHtml(problem)}</p>`);
}

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

export function consentPage({ world, user }: SignedIn, form: URLSearchParams): string {
  const who = `<p>You are <strong>${escapeHtml(user.realName)}</strong>. The app will see who you are.</p>`;
  return page(`Sign in to ${world.workspace.team.name}`, who + decisionForm('/openid/connect/authorize', form));
}

/** `offersOrganisation`: whether the person may choose the whole organisation instead of the team. */
export function installPage({ world }: SignedIn, form: URLSearchParams, offersOrganisation: boolean): string {
  const { team } = world.workspace;
  const choice =
    offersOrganisation && team.enterprise
      ? `<p><label><input type="radio" name="where" value="team" checked> ${escapeHtml(team.name)}</label>
<label><input type="radio" name="where" value="enterprise"> all of ${escapeHtml(team.enterprise.name)}</label></p>`
      : '';
  const scopes = (form.get('scope') ?? '').split(/[ ,]/).map((scope) => `<li>${escapeHtml(scope)}</li>`);
  return page(
    `Add an app to ${team.name}`,
    `<p>The app wants to do this:</p><ul>${scopes.join('')}</ul>${decisionForm('/oauth/v2/authorize', form, choice)}`,
  );
}

/** `asked`: what the authorization request asked for, which comes back with the decision. */
function decisionForm(action: string, asked: URLSearchParams, choice = ''): string {
  const hidden = [...asked].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${action}">${hidden.join('')}${choice}
<button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></form>`;
}

export function signedInPage({ world, user }: SignedIn): string {
  const who = `<strong>${escapeHtml(user.realName)}</strong> of ${escapeHtml(world.workspace.team.name)}`;
  return page('Signed in', `<p>This browser is now ${who} in the sandbox's Slack.</p>`);
}
