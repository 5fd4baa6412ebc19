/** The pages that people meet in a browser on their way through a sign-in. */
import type { Reply } from './reply.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dadd, #3c434b); --accent: light-dark(#27508f, #9cc0f5);
  font: 16px/1.5 system-ui, sans-serif; background: light-dark(#eef1f4, #14171a); color: light-dark(#1b1f23, #e6e9ec) }
body { max-width: 27rem; margin: 12vh auto; padding: 0 1rem }
main { padding: 1.5rem 1.75rem 1.75rem; border: 1px solid var(--line); border-top: 4px solid var(--accent);
  border-radius: 10px; background: light-dark(#fff, #1f2328) }
h1 { margin: .2rem 0 1rem; font-size: 1.35rem } small { opacity: .75 } ul { padding-left: 1.2rem }
a { color: var(--accent) }
button { padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: none; color: inherit;
  font: inherit; font-weight: 600; cursor: pointer }
button:hover { border-color: var(--accent) }
button[name=decision]:first-of-type { border-color: var(--accent); background: var(--accent); color: light-dark(#fff, #14171a) }
p:has(button) { display: flex; gap: .75rem; align-items: center } p > button { min-width: 9rem; text-align: left }`;

/** `site`: whose page it is. `body` is HTML. */
export function renderPage(site: string, title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><small>${escapeHtml(site)}</small><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>`;
}

export function toPage(status: number, html: string): Reply {
  return { status, headers: { 'cache-control': 'no-store' }, body: html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
