/** The frame of every page that this Slack shows in a browser. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><body style="font-family: system-ui; max-width: 32rem; margin: 4rem auto; padding: 0 1rem">
<h1>${escapeHtml(title)}</h1>${body}</body></html>`;
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

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
