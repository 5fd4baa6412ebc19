/** Where a link leads: to the pages of this world as the person who pressed it, and never off this machine by itself. */
import { escapeHtml, renderPage } from '../loopback/render-page.ts';
import type { Reply } from '../loopback/reply.ts';
import type { Sandbox } from '../sandbox.ts';
import { PAGE_HEADERS } from './page-files.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const SITE = 'Workspace, simulated';

/** `person` becomes who the browser is in Slack; the identity provider asks for itself. */
export function openAddress(world: Sandbox, query: URLSearchParams): Reply {
  const to = URL.parse(query.get('to') ?? '');
  if (!to || !/^https?:$/.test(to.protocol)) return { status: 400, body: renderPage(SITE, 'This is no link', '') };
  if (!LOOPBACK.has(to.hostname)) return answerOutside(to);
  const login = new URLSearchParams({ user: query.get('person') ?? '', back: to.href });
  return { status: 303, headers: { location: `${world.slack.url}/sandbox/login?${login}` } };
}

function answerOutside({ href, host }: URL): Reply {
  const link = `<a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(href)}</a>`;
  const body = `<p>In this simulation nothing leaves your machine, so the link was not opened.</p><p>${link}</p>`;
  return { status: 200, headers: PAGE_HEADERS, body: renderPage(SITE, `A link to ${host}`, body) };
}
