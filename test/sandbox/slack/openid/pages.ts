/** The pages a browser sees while somebody signs in with Slack. */
import type { User } from '../records.ts';

export function choosePersonPage(people: User[], back: string): string {
  const rows = people.map(
    (user) =>
      `<li><a href="/sandbox/login?user=${encodeURIComponent(user.id)}&amp;back=${encodeURIComponent(back)}">${escapeHtml(user.realName)}</a></li>`,
  );
  return page(
    'Who are you in this Slack?',
    `<p>This browser is not signed in to the sandbox's Slack.</p><ul>${rows.join('')}</ul>`,
  );
}

/** `form` holds what the authorization request asked for; it comes back with the decision. */
export function consentPage(user: User, teamName: string, form: URLSearchParams): string {
  const fields = [...form]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return page(
    `Sign in to ${teamName}`,
    `<p>You are <strong>${escapeHtml(user.realName)}</strong>. The app will see your name and e-mail address.</p>
<form method="post" action="/openid/connect/authorize">${fields}
<button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></form>`,
  );
}

export function problemPage(problem: string): string {
  return page('Something is wrong with this sign-in', `<p>${escapeHtml(problem)}</p>`);
}

export function signedInPage(user: User): string {
  return page(
    'Signed in',
    `<p>This browser is now <strong>${escapeHtml(user.realName)}</strong> in the sandbox's Slack.</p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><body style="font-family: system-ui; max-width: 32rem; margin: 4rem auto; padding: 0 1rem">
<h1>${escapeHtml(title)}</h1>${body}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
