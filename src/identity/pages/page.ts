import { createHash } from 'node:crypto';
import { type Html, html } from '../../html.ts';
import type { Language } from '../../languages/language.ts';

/** `formTargets`: where its form may lead, as CSP sources; undefined: it has no form. */
export type Page = { status: number; title: string; body: Html; formTargets?: readonly string[] };

type PageHeaders = Record<string, string>;

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.55 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 1.5rem 0; padding: .75rem 1rem 1rem; }
legend { font-weight: 600; padding: 0 .375rem; }
label { display: flex; gap: .75rem; padding: .625rem 0; }
label input { flex: none; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; }
label strong { display: block; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.5rem; border: 2px solid #1251a3;
  border-radius: .5rem; background: #1251a3; color: #fff; cursor: pointer; }
button.quiet { background: transparent; color: inherit; border-color: GrayText; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
dl { border: 1px solid GrayText; border-radius: .5rem; margin: 1.5rem 0; padding: .375rem 1rem; }
dl > div { padding: .625rem 0; }
dl > div + div { border-top: 1px solid GrayText; }
dt { font-size: .9375rem; }
dd { margin: 0; font-size: 1.125rem; }
:focus-visible { outline: 3px solid #d9822b; outline-offset: 2px; }
`;

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** `language`: what the page is written in, which browsers and screen readers are told. */
export function renderPage({ title, body }: Page, language: Language = 'en'): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assistant</title>
<style>${{ markup: STYLE }}</style>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
${head}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return page.markup;
}

/**
 * Pages have no scripts, load nothing, and are neither framed nor cached. A page with a form uses the referrer policy
 * `same-origin`, which tells other sites as little as `no-referrer` but keeps the form's Origin header:
 * https://fetch.spec.whatwg.org/#append-a-request-origin-header
 */
export function buildPageHeaders({ formTargets }: Page, isHttps: boolean): PageHeaders {
  const formAction = formTargets ? formTargets.join(' ') : "'none'";
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${STYLE_SOURCE}; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    'referrer-policy': formTargets ? 'same-origin' : 'no-referrer',
    ...buildResponseHeaders(isHttps),
  };
}

/** For every response under /link/, redirects included. */
export function buildResponseHeaders(isHttps: boolean): PageHeaders {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
