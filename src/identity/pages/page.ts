import { createHash } from 'node:crypto';
import { type Html, html } from '../../html.ts';
import type { Language } from '../../languages/language.ts';
import { textsOf } from '../../languages/texts.ts';

/** `formTargets`: where its form may lead, as CSP sources; undefined: it has no form. */
export type Page = {
  status: number;
  title: string;
  body: Html;
  formTargets?: readonly string[];
  /** Set if only the way back to Slack is left to do: it becomes a button, and this (perhaps empty) comes below it. */
  end?: Html;
};

/** The frame of a page. `host`: of PUBLIC_URL; `slackUrl`: the way back, if there is one. */
type Frame = { language: Language; host: string; slackUrl?: string };

type PageHeaders = Record<string, string>;

/** As in the manifest of the Slack app. */
const APP_NAME = 'Assistant';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif; --paper: #fff; --ground: #eef1f5; --line: #c5cad3; }
@media (prefers-color-scheme: dark) { :root { --paper: #1d2228; --ground: #12151a; --line: #4a525e; } }
body { margin: 0; background: var(--ground); }
.card { max-width: 32rem; margin: 0 auto; padding: 1rem 1.25rem 1.25rem; overflow-wrap: anywhere; background: var(--paper);
  box-sizing: border-box; }
@media (min-width: 34rem) { .card { margin: 1.5rem auto; padding: 1.5rem 2rem 2rem; border: 1px solid var(--line);
  border-radius: .75rem; } }
header { display: flex; align-items: center; gap: .625rem; margin-bottom: .875rem; line-height: 1.2; }
header svg { flex: none; width: 2.25rem; height: 2.25rem; }
header strong, header small { display: block; }
h1 { font-size: 1.3125rem; line-height: 1.25; margin: 0 0 .625rem; }
p { margin: 0 0 .625rem; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: .75rem 0; padding: .125rem .75rem .25rem; }
legend { float: left; width: 100%; font-weight: 600; padding: .375rem 0 0; }
legend + * { clear: both; }
label { display: flex; gap: .625rem; padding: .375rem 0; }
label input { flex: none; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; }
label strong { display: block; }
button, .button { display: inline-block; box-sizing: border-box; font: inherit; font-weight: 600; line-height: 1.5;
  min-height: 2.75rem; padding: .5rem 1.5rem; border: 2px solid #1251a3; border-radius: .5rem; background: #1251a3;
  color: #fff; text-decoration: none; cursor: pointer; }
button.quiet { background: transparent; color: inherit; border-color: var(--line); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
dl { border: 1px solid var(--line); border-radius: .5rem; margin: .75rem 0; padding: .125rem .875rem; }
dl > div { padding: .5rem 0; }
dl > div + div { border-top: 1px solid var(--line); }
dt { font-size: .9375rem; }
dd { margin: 0; font-size: 1.0625rem; }
.back { margin: .75rem 0; }
:focus-visible { outline: 3px solid #d9822b; outline-offset: 2px; }
`;

/** Two piers with a bridge between them, in a speech bubble. */
const ICON = html`<svg viewBox="0 0 48 48" aria-hidden="true"><rect width="48" height="48" rx="11" fill="#1251a3"/>
<path d="M10 11h28a3 3 0 0 1 3 3v17a3 3 0 0 1-3 3H22l-8 7v-7h-4a3 3 0 0 1-3-3V14a3 3 0 0 1 3-3z" fill="#fff"/>
<path d="M12 28v-8m24 8v-8M12 28c3-9 21-9 24 0M12 20h24" fill="none" stroke="#1251a3" stroke-width="2.5" stroke-linecap="round"/></svg>`;

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** `language`: of the page, also for its `lang` attribute. */
export function renderPage({ title, body, end }: Page, { language, host, slackUrl }: Frame): string {
  const { back } = textsOf(language).pages;
  const link = slackUrl ? html`<a href="${slackUrl}"${end ? html` class="button"` : html``}>${back}</a>` : undefined;
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${APP_NAME}</title>
<style>${{ markup: STYLE }}</style>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
${head}
</head>
<body>
<div class="card">
<header>${ICON}<span><strong>${APP_NAME}</strong><small>${host}</small></span></header>
<main>
<h1>${title}</h1>
${body}
${link ? html`<p class="back">${link}</p>` : html``}
${end ?? html``}
</main>
</div>
</body>
</html>
`;
  return page.markup;
}

/**
 * Pages have no scripts, load nothing, and are neither framed nor cached. A page with a form uses the referrer policy
 * `same-origin`: like `no-referrer` it tells other sites nothing, but the form keeps its Origin header:
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
