import { escapeHtml, renderPage } from '../loopback/render-page.ts';
import type { Person } from './people.ts';

export function buildSignInPage(action: string, people: Iterable<Person>): string {
  const buttons = [...people].map(
    ({ key, name, preferredUsername }) =>
      `<p><button type="submit" name="person" value="${key}">${escapeHtml(name)}</button> ${escapeHtml(preferredUsername)}</p>`,
  );
  const body = `<p>Choose who you are.</p>\n<form method="post" action="${action}">\n${buttons.join('\n')}\n</form>`;
  return buildPage('Sign in', body);
}

export function buildConsentPage(action: string, person: Person, scope: string): string {
  const scopes = scope.split(' ').map((one) => `<li>${escapeHtml(one)}</li>`);
  return buildPage(
    'Permissions requested',
    `<p>${escapeHtml(person.name)}, this app asks for:</p>\n<ul>${scopes.join('')}</ul>
<form method="post" action="${action}">
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="cancel">Cancel</button>
</form>`,
  );
}

export function buildPage(title: string, body: string): string {
  return renderPage('Work account, simulated', title, body);
}
