/** The sandbox in a browser: a thin client, served on loopback. Whatever Slack's rules are, they stand in the sandbox. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { prettifyError, ZodError } from 'zod';
import { type LoopbackServer, startLoopbackServer } from '../loopback/loopback-server.ts';
import { escapeHtml, renderPage } from '../loopback/render-page.ts';
import { isJsonRequest, parseJson, type Reply, readRequestText, sendReply } from '../loopback/reply.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { createActor } from './act.ts';
import { findPageFile, PAGE_HEADERS } from './page-files.ts';
import type { Panel } from './panel/create-panel.ts';
import { createSights } from './read-sight.ts';
import type { Looking } from './sight.ts';

/** For a world in which a person is there to be asked, and to refuse, and in which an answer can be watched as it grows. */
export const WITH_PEOPLE = {
  slack: { autoAllow: false },
  identityProvider: { askPerson: true, askConsent: true },
  assistant: { stepMs: 300, latencyMs: 1_000 },
} satisfies SandboxOptions;

const TOO_LARGE = 'This simulation takes files of at most 3 MB, all of a message together.';

/** Changes come in bursts: a browser is told once for those of so many milliseconds. */
const BURST_MS = 30;

export type Workspace = LoopbackServer;

export type WorkspaceOptions = {
  /** A free one unless told otherwise. */
  port?: number;
  /** Answers what is below `/panel/`; the page then offers its control panel (`page/panel.ts`). */
  panel?: Panel;
};

/** `url`: `http://127.0.0.1:<port>`; `/#U0KIM/C0GENERAL` is Kim in #general. */
export async function startWorkspace(world: Sandbox, { port = 0, panel }: WorkspaceOptions = {}) {
  const sights = createSights(world, { hasPanel: panel !== undefined });
  const act = createActor(world.slack);
  const server = await startLoopbackServer((request, response) => handle(request, response), port);
  return server;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', server.url);
    if (!isFromHere(request)) return sendReply(response, { status: 403, body: { error: 'Only this page may ask.' } });
    if (panel && pathname.startsWith('/panel/')) return panel.handle(request, response);
    if (request.method === 'POST' && pathname === '/do') return answerAct(request, response);
    if (request.method !== 'GET') return sendReply(response, { status: 405 });
    if (pathname === '/events') return follow(response, readLooking(searchParams));
    if (pathname === '/open') return sendReply(response, openAddress(world, searchParams));
    sendReply(response, await findPageFile(pathname));
  }

  async function answerAct(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = isJsonRequest(request) ? await readRequestText(request) : '';
    if (sent === undefined) return sendReply(response, { status: 200, body: { error: TOO_LARGE } });
    const body = parseJson(sent);
    if (!body.ok) return sendReply(response, { status: 400, body: { error: 'The request is not JSON.' } });
    try {
      sendReply(response, { status: 200, body: { result: (await act(body.value)) ?? null } });
    } catch (error) {
      // An answer, too: a browser's console is for faults of the page.
      sendReply(response, { status: 200, body: { error: toSentence(error) } });
    }
    // Not everything that an action changes is announced.
    sights.changed();
  }

  /** Server-sent events: what the person sees now, and again whenever that changed. */
  function follow(response: ServerResponse, looking: Looking): void {
    let sent = '';
    let timer: NodeJS.Timeout | undefined;
    const send = () => {
      timer = undefined;
      const sight = JSON.stringify(sights.read(looking));
      if (sight === sent) return;
      sent = sight;
      response.write(`data: ${sight}\n\n`);
    };
    const stop = sights.listen(() => {
      timer ??= setTimeout(send, BURST_MS);
    });
    response.once('close', () => {
      clearTimeout(timer);
      stop();
    });
    response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/event-stream' });
    send();
  }
}

/** A page of another site, be it under a name that leads to this machine, can neither look nor act. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const host = headers.host ?? '';
  const isLoopback = /^(?:127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(host);
  return isLoopback && (headers.origin === undefined || headers.origin === `http://${host}`);
}

function readLooking(query: URLSearchParams): Looking {
  return {
    person: query.get('person') ?? '',
    channel: query.get('channel') ?? undefined,
    thread: query.get('thread') ?? undefined,
  };
}

/** Some errors of the sandbox end with a picture of everything in it. */
function toSentence(error: unknown): string {
  if (error instanceof ZodError) return prettifyError(error);
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const SITE = 'Workspace, simulated';

/**
 * Where a link leads: to the pages of this world as the person who pressed it, and never off this machine by itself. The
 * browser becomes `person`'s in Slack; the identity provider asks for itself.
 */
function openAddress(world: Sandbox, query: URLSearchParams): Reply {
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
