import type { IncomingMessage } from 'node:http';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { useFakeTimers } from 'sinon';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/doctor/check.ts';
import { SIGN_IN, SLACK_CLIENT } from '../../src/doctor/checks/sign-in.ts';
import { createLog } from '../../src/log.ts';
import { startSignInChecks } from '../../src/wiring/connect-identity.ts';
import { startAppProcess } from '../app/app-process.ts';
import { startWorld, type World } from '../app/world.ts';
import { findClosedUrl, type Loopback, listen } from '../http/loopback.ts';
import { aCertificate, say, startLooking } from './look.ts';

const { look, http, findUnseen } = startLooking();
const SECRETS = ['wrong-secret', 'sandbox-client-secret', 'BEGIN'];
let world: World;
let closedUrl: string;
/** Nobody answers there, which takes ten seconds: the other tests run meanwhile. */
let silent: Loopback;
let mute: Promise<Finding[]>;

beforeAll(async () => {
  world = await startWorld();
  closedUrl = await findClosedUrl();
  silent = await listen(() => undefined);
  mute = lookAtSignIn(configure({ AUTH_URL: silent.url }));
});
afterAll(() => Promise.all([world.close(), silent.close()]));

function configure(changes: Record<string, string> = {}) {
  return readConfig({ ...world.environment, ...changes });
}

/** What the doctor says of them. */
const lookAtSignIn = async (config: Config) => [
  ...(await look(SIGN_IN, config)),
  ...(await look(SLACK_CLIENT, config)),
];

/** What the start logs of the values people sign in with. */
async function logAtStart(changes: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  const looks = startSignInChecks({ config: configure(changes), http, log }, () => resolve());
  await looked;
  looks.stop();
  return lines;
}

/** `beside`: what the value needs to count. */
type Mistake = [variable: string, value: string | (() => string), sentence: RegExp, beside?: Record<string, string>];

const refused = (words: string) => new RegExp(`^The identity provider refuses ${RegExp.escape(words)}`);

/** The issuer that the app expects is not the one that the provider names. */
const OTHER_ISSUER = /^AUTH_ISSUER is wrong: the app expects https:\/\/other\.example, and .* says http:\S+\/v2\.0\./;

const MISTAKES: Mistake[] = [
  ['AUTH_URL', () => `${world.identityProvider.url}/elsewhere`, refused('AUTH_TENANT_ID or AUTH_URL (')],
  ['AUTH_TENANT_ID', '99999999-2222-4333-8444-555555555555', refused('AUTH_TENANT_ID (invalid_tenant, 90002)')],
  ['AUTH_CLIENT_ID', 'somebody-else', refused('AUTH_CLIENT_ID (unauthorized_client, 700016)')],
  ['AUTH_CLIENT_SECRET', 'wrong-secret', refused('AUTH_CLIENT_SECRET (invalid_client, 7000215)')],
  [
    'AUTH_CLIENT_CERTIFICATE',
    aCertificate,
    refused('AUTH_CLIENT_CERTIFICATE (invalid_client, 700027)'),
    { AUTH_CLIENT_SECRET: '' },
  ],
  ['AUTH_ISSUER', 'https://other.example', OTHER_ISSUER],
  ['ASSISTANT_SCOPE', 'api://nobody/Agent.Ask', refused('ASSISTANT_SCOPE (invalid_scope): nobody can sign in.')],
  ['ADMIN_SCOPE', 'api://nobody/Admin', refused('ADMIN_SCOPE (invalid_scope): no administrator can sign in.')],
  ['PUBLIC_URL', 'https://elsewhere.example', refused('PUBLIC_URL (invalid_redirect_uri)')],
  [
    'SLACK_CLIENT_ID',
    '1.2',
    /^Slack refuses SLACK_CLIENT_ID \(invalid_client_id\): nobody can sign in\. Copy it again/,
  ],
  ['SLACK_CLIENT_SECRET', 'wrong-secret', /^Slack refuses SLACK_CLIENT_SECRET \(bad_client_secret\)/],
];

describe('a wrong value that people sign in with', () => {
  it.each(MISTAKES)('is named by the start and by the doctor: %s', async (variable, value, sentence, beside) => {
    const values = { ...beside, [variable]: typeof value === 'string' ? value : value() };

    const lines = await logAtStart(values);
    const findings = await lookAtSignIn(configure(values));

    const wrong = lines.filter(({ msg }) => msg === 'sign-in will fail: a value is wrong');
    expect(wrong).toMatchObject([
      { level: 'error', variable: expect.stringContaining(variable), sentence: expect.stringMatching(sentence) },
    ]);
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.map((one) => one.sentence)).toEqual([expect.stringMatching(sentence)]);
    const told = JSON.stringify([lines, findings]);
    expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('is none where all of them are right', async () => {
    const lines = await logAtStart();
    const findings = await lookAtSignIn(configure());

    expect(lines).toMatchObject([{ msg: 'sign-in looked at', looked: 5 }]);
    expect(say(findings)).toEqual([
      'ok: The identity provider publishes the issuer that the app expects in id tokens.',
      'ok: The identity provider accepts AUTH_CLIENT_ID and AUTH_CLIENT_SECRET.',
      'ok: The identity provider opens its sign-in page for ASSISTANT_SCOPE.',
      'ok: The identity provider opens its sign-in page for ADMIN_SCOPE.',
      'ok: Slack accepts SLACK_CLIENT_ID and SLACK_CLIENT_SECRET.',
    ]);
  });

  it('may be an address where nobody answers: nothing counts as right then', async () => {
    const lines = await logAtStart({ AUTH_URL: closedUrl });
    const findings = await lookAtSignIn(configure({ AUTH_URL: closedUrl }));

    const unchecked = lines.filter(({ msg }) => msg === 'sign-in not checked');
    expect(unchecked).toMatchObject([{ level: 'warn', sentence: expect.stringMatching(/Check AUTH_URL\.$/) }]);
    expect(findings.map(({ level }) => level)).toEqual(['error', 'ok']);
    expect(findings[0]?.sentence).toContain('Could not be checked: AUTH_ISSUER, AUTH_CLIENT_ID and AUTH_CLIENT_SECRET');
    expect(findings[0]?.sentence).toMatch(/no_connection\. Check AUTH_URL\.$/);
  });
});

describe('an identity provider that tells less', () => {
  type Answer = { status: number; body: string | object; location?: string };

  /** `strangerPage`: for a client that it does not know; default: the same. */
  type Answers = { discovery: Answer; token: Answer; page: Answer; strangerPage?: Answer };

  function choose({ discovery, token, page, strangerPage = page }: Answers, { method, url = '' }: IncomingMessage) {
    if (url.includes('.well-known')) return discovery;
    if (method === 'POST') return token;
    return url.includes(`client_id=${world.environment.AUTH_CLIENT_ID}&`) ? page : strangerPage;
  }

  /** What is said of one that answers each of the requests as the test says. */
  async function lookAt(answers: Answers) {
    const { url, close } = await listen((request, response) => {
      const { status, body, location: target } = choose(answers, request);
      const location = target?.replace('/PATH', request.url ?? '');
      const type = typeof body === 'string' ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...(location && { location }) });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const findings = await lookAtSignIn(configure({ AUTH_URL: url, ADMIN_API_BASE_URL: '', ADMIN_SCOPE: '' }));
    await close();
    return say(findings).filter((line) => !line.includes('SLACK_'));
  }

  const NO_DISCOVERY = { status: 404, body: 'Not Found' };
  const CODE_REFUSED = { status: 400, body: { error: 'invalid_grant' } };
  const UNKNOWN_CLIENT = { status: 400, body: 'Error: invalid_client' };
  const SCRIPT = { status: 200, body: '<script>' };
  const LOGIN_PAGE = { status: 200, body: '<form><input type="password" name="p"></form>' };

  it('may publish no discovery document, which is no mistake', async () => {
    const told = await lookAt({ discovery: NO_DISCOVERY, token: CODE_REFUSED, page: LOGIN_PAGE });

    expect(told).toEqual([
      'ok: The identity provider accepts AUTH_CLIENT_ID and AUTH_CLIENT_SECRET.',
      'ok: The identity provider opens its sign-in page for ASSISTANT_SCOPE.',
      'warning: Could not be checked: AUTH_ISSUER. The reason: the identity provider publishes no discovery document.',
    ]);
  });

  it.each([
    ['the secret, where the page knows the client', LOGIN_PAGE, UNKNOWN_CLIENT, 'AUTH_CLIENT_SECRET'],
    ['the id, where the page does not', UNKNOWN_CLIENT, UNKNOWN_CLIENT, 'AUTH_CLIENT_ID'],
    ['one of the two, where the page says nothing', SCRIPT, SCRIPT, 'AUTH_CLIENT_ID or AUTH_CLIENT_SECRET'],
    ['one of the two, where the page takes any client', LOGIN_PAGE, LOGIN_PAGE, 'AUTH_CLIENT_ID or AUTH_CLIENT_SECRET'],
  ])('may say invalid_client only: then it is %s', async (_, page, strangerPage, variable) => {
    const token = { status: 401, body: { error: 'invalid_client' } };

    const told = await lookAt({ discovery: NO_DISCOVERY, token, page, strangerPage });

    expect(told.filter((line) => line.startsWith('error'))).toEqual([
      expect.stringContaining(`refuses ${variable} (invalid_client)`),
    ]);
  });

  /** Of the page and the redirect address. */
  const PAGE_UNCHECKED = /^warning: Could not be checked: ASSISTANT_SCOPE and the redirect address\./;
  const CLIENT_UNCHECKED = /^warning: Could not be checked: AUTH_CLIENT_ID and AUTH_CLIENT_SECRET\./;
  const UNDISCOVERED = /^warning: .*refuses to show its discovery document/;
  const checks = (variables: string) => new RegExp(`^warning: .* Check ${variables}\\.$`);

  const page = (status: number, body: string, location?: string) => ({
    page: { status, body, ...(location && { location }) },
  });
  const NOT_FOUND = { status: 404, body: 'Not Found' };
  const NO_TENANT = { status: 400, body: { error: 'invalid_tenant' } };
  const NO_CLIENT = { status: 401, body: { error: 'invalid_client' } };
  const BAD_FORM = { status: 400, body: { error: 'invalid_grant', error_codes: [9002313] } };
  const BAD_URI = '<h1>Sorry</h1> AADSTS50011: The redirect URI does not match.';

  it.each<[string, Partial<Answers>, RegExp]>([
    ['shows a page that only a browser can read', page(200, '<script>run()</script>'), PAGE_UNCHECKED],
    ['has a gateway that refuses the page', page(403, 'Blocked'), PAGE_UNCHECKED],
    ['has moved its page', page(301, '', 'https://www.example.com/PATH'), PAGE_UNCHECKED],
    ['fails to show its page', page(502, 'Bad Gateway'), PAGE_UNCHECKED],
    ['refuses a made-up code with 404', { token: NOT_FOUND }, checks('AUTH_TENANT_ID or AUTH_URL')],
    ['refuses whoever is no browser with 404', { page: NOT_FOUND }, checks('AUTH_TENANT_ID or AUTH_URL')],
    ['refuses whoever is no browser with 400', page(400, 'Bad'), checks('AUTH_CLIENT_ID or PUBLIC_URL')],
    ['refuses at the page a client that it accepts elsewhere', { page: UNKNOWN_CLIENT }, checks('AUTH_CLIENT_ID')],
    ['hides its discovery document, to which no client is named', { discovery: NO_CLIENT, page: SCRIPT }, UNDISCOVERED],
    [
      'names the tenant, which nothing but the words contradicts',
      { discovery: NO_TENANT, token: { status: 404, body: '' }, page: SCRIPT },
      /^error: The identity provider refuses AUTH_TENANT_ID \(invalid/,
    ],
    ['refuses the form of the made-up code before it looks at the client', { token: BAD_FORM }, CLIENT_UNCHECKED],
    ['tells a browser alone which value is wrong', page(200, BAD_URI), /^error: .* refuses PUBLIC_URL \(50011\)/],
  ])(
    'is no certain mistake, nor taken to be right, unless it names a value: one that %s',
    async (_, changes, sentence) => {
      const told = await lookAt({ discovery: NO_DISCOVERY, token: CODE_REFUSED, page: LOGIN_PAGE, ...changes });

      expect(told).toContainEqual(expect.stringMatching(sentence));
      const isError = (line: string) => line.startsWith('error');
      expect(told.some(isError)).toBe(sentence.source.startsWith('^error'));
    },
  );
});

it('an address where somebody listens and never answers is named', async () => {
  const findings = await mute;

  expect(findings.map(({ level }) => level)).toEqual(['error', 'ok']);
  expect(findings[0]?.sentence).toMatch(/no_answer_in_time\. Check AUTH_URL\.$/);
});

it('there is a test for every sentence', () => {
  expect(findUnseen(SIGN_IN)).toEqual([]);
});

describe('a value that becomes wrong', () => {
  it('is found within an hour, and said once', async () => {
    const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => clock.restore());
    let tokenAnswer = { error: 'invalid_grant', error_codes: [] as number[] };
    const { url, close } = await listen((request, response) => {
      response.writeHead(request.method === 'POST' ? 400 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.method === 'POST' ? tokenAnswer : {}));
    });
    const looked: string[][] = [];
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const looks = startSignInChecks({ config: configure({ AUTH_URL: url }), http, log }, (wrong) => looked.push(wrong));

    await expect.poll(() => looked).toEqual([[]]);
    tokenAnswer = { error: 'invalid_client', error_codes: [7000222] };
    clock.tick(3_600_000);
    await expect.poll(() => looked).toHaveLength(2);
    clock.tick(3_600_000);
    await expect.poll(() => looked).toHaveLength(3);
    looks.stop();
    clock.tick(3_600_000);
    await close();

    expect(looked.map((wrong) => wrong.includes('AUTH_CLIENT_SECRET'))).toEqual([false, true, true]);
    expect(lines.filter((line) => line.includes('7000222'))).toHaveLength(1);
  });
});

describe('a start', () => {
  it('does not wait for an identity provider that never answers', async () => {
    const { url, close } = await listen(() => undefined);
    const port = String(await claimPort());

    const app = await startAppProcess({ ...world.environment, AUTH_URL: url, PORT: port });
    const ready = await fetch(`http://127.0.0.1:${port}/ready`);
    const hasLooked = app.lines.some((line) => line.includes('sign-in looked at'));
    await app.kill('SIGKILL');
    await close();

    expect([ready.status, hasLooked]).toEqual([200, false]);
  });
});
