import { escapeHtml, renderPage } from '../../loopback/render-page.ts';

/** The frame of every page that this Slack shows in a browser. */
export function page(title: string, body: string): string {
  return renderPage('Slack, simulated', title, body);
}

export function problemPage(problem: string): string {
  return page('Something is wrong with this sign-in', `<p>${escapeHtml(problem)}</p>`);
}

/** What was asked for comes back with the decision. */
export function hiddenFields(form: URLSearchParams): string {
  return [...form]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
}
