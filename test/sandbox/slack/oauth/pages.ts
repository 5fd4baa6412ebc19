/** The page on which somebody installs the app. */

import { escapeHtml } from '../../loopback/render-page.ts';
import type { SignedIn } from '../browser-session.ts';
import { hiddenFields, page } from '../openid/page.ts';

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
    `<p>The app wants to do this:</p><ul>${scopes.join('')}</ul>
<form method="post" action="/oauth/v2/authorize">${hiddenFields(form)}${choice}
<button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></form>`,
  );
}
