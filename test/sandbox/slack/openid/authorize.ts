/** What Sign in with Slack and installing the app have in common: a page that asks somebody, and a code for an answer. */
import { randomBytes } from 'node:crypto';
import { toPage } from '../../loopback/render-page.ts';
import { type Reply, toRedirect } from '../../loopback/reply.ts';
import { readSession, type SignedIn } from '../browser-session.ts';
import type { Json } from '../records.ts';
import type { Exchange } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';
import { choosePersonPage, problemPage } from './pages.ts';

export type Code = { person: SignedIn; form: URLSearchParams; expiresAt: number };

type Authorization = {
  path: string;
  /** Slack shows it on its own page: the redirect address cannot be trusted yet. */
  findProblem(form: URLSearchParams): string | undefined;
  /** Why this person may not be asked at all. */
  refuse?(person: SignedIn): string | undefined;
  /** Undefined where nothing is asked, and the answer is yes. */
  ask(person: SignedIn, form: URLSearchParams): string | undefined;
};

const CODE_LIFE_MS = 10 * 60_000;

/** `form` is what was asked for, with what the person has decided. */
export function createAuthorization(main: World, { path, findProblem, refuse, ask }: Authorization) {
  const codes = new Map<string, Code>();
  const issueCode = (person: SignedIn, form: URLSearchParams) => {
    const code = randomBytes(16).toString('hex');
    codes.set(code, { person, form, expiresAt: Date.now() + CODE_LIFE_MS });
    return code;
  };
  return {
    answer({ request, body }: Exchange): Reply {
      const { method, url = '/', headers } = request;
      const form = method === 'POST' ? new URLSearchParams(body) : new URL(url, main.url).searchParams;
      const problem = findProblem(form);
      if (problem !== undefined) return toPage(400, problemPage(problem));
      const person = readSession(main, headers.cookie);
      if (!person) return toPage(200, choosePersonPage(everybody(main), `${path}?${form}`));
      const refusal = refuse?.(person);
      if (refusal !== undefined) return toPage(403, problemPage(refusal));
      const question = ask(person, form);
      if (method !== 'POST' && question !== undefined) return toPage(200, question);
      const isAllowed = question === undefined || form.get('decision') === 'allow';
      return toRedirect(toAnswer(form, isAllowed ? { code: issueCode(person, form) } : { error: 'access_denied' }));
    },
    /** Each code is good once, and with the address that it was sent to. */
    redeem(given: Json): Code {
      const code = codes.get(String(given.code));
      codes.delete(String(given.code));
      if (!code || code.expiresAt < Date.now()) throw new SlackApiError('invalid_code');
      if (given.redirect_uri !== code.form.get('redirect_uri')) throw new SlackApiError('bad_redirect_uri');
      return code;
    },
  };
}

function toAnswer(form: URLSearchParams, answer: Record<string, string>): string {
  const target = new URL(form.get('redirect_uri') ?? '');
  const state = form.get('state');
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) }))
    target.searchParams.set(name, value);
  return target.href;
}

export function requireClient(world: World, { request }: Exchange, given: Json): void {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const [id, secret] =
    basic === undefined
      ? [given.client_id, given.client_secret]
      : Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent);
  if (id !== world.credentials.clientId) throw new SlackApiError('invalid_client_id');
  if (secret !== world.credentials.clientSecret) throw new SlackApiError('bad_client_secret');
}

export function toScopes(form: URLSearchParams, name = 'scope'): string[] {
  return (form.get(name) ?? '').split(/[ ,]/).filter(Boolean);
}

/** `isRegistered`: whether an address is; undefined where none are, and any on loopback will do. */
export function isRedirectAllowed(form: URLSearchParams, isRegistered?: (uri: string) => boolean): boolean {
  const uri = form.get('redirect_uri') ?? '';
  if (!URL.canParse(uri)) return false;
  return isRegistered ? isRegistered(uri) : ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(uri).hostname);
}

/** Of all teams, without bots and those who left. */
function everybody(main: World): SignedIn[] {
  return main.teams().flatMap((world) => {
    const people = [...world.workspace.users.values()].filter((user) => !user.isBot && !user.deleted);
    return people.map((user) => ({ world, user }));
  });
}
