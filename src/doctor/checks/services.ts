import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { toPath } from '../../admin-api/admin-client.ts';
import { toConversationsUrl } from '../../assistant/assistant-client.ts';
import type { Config } from '../../config.ts';
import { type ConnectionFault, readConnectionFault } from '../../http/connection-fault.ts';
import { createHttpClient, type HttpClient } from '../../http/http-client.ts';
import type { ProxySettings } from '../../http/outbound-agent.ts';
import { type Check, type Finding, speak } from '../check.ts';

const CONNECT_TIMEOUT_MS = 8_000;
const TIMEOUT_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

/** Enough time to renew a certificate. */
const SOON_DAYS = 14;

const { words, say } = speak({
  answers: '✓ {name} answers in {ms} ms.',
  certified: '✓ {name} answers in {ms} ms, with a certificate that is valid for {days} days.',
  expiring: '! {name} answers in {ms} ms, but its certificate is valid for only {days} more days.',
  unreachable: '✗ {name} cannot be reached{why}',
  right: '✓ {who} asks for a token at {path}, as it should.',
  silent: '✗ {name} does not answer a request ({path}). Run the doctor again, and check {variable}.',
  notThere: '✗ {name} has no {path} (status {status}{page}). Check the host and the path of {variable}.',
  faulty: '! {name} itself has a problem (status {status}). Run the doctor again in a few minutes.',
  limited: '! {name} limits our requests (status {status}). Run the doctor again in a minute.',
  page: '✗ Something else answers for {name}, with a web page (status {status}): perhaps a firewall, a proxy or a sign-in page. Check {variable}, and that this machine may call it.',
  otherVersion: '✗ {name} refuses the version of the interface (status {status}). Check ADMIN_API_VERSION.',
  readsFirst: '! {name} reads a request before it asks for a token (status {status}). Ask a question to be sure.',
  open: '✗ {name} answers without asking for a token (status {status}): this is another service. Check {variable}.',
});

/** `operation`: the address of an operation that needs a token. */
type Service = { who: string; variable: string; address: string; operation?: string };

export const ASSISTANT_SERVICE = createCheck('The assistant service', toAssistant);

export const ADMIN_INTERFACE = createCheck(
  'The administrative interface',
  ({ ADMIN_API_BASE_URL: address, ADMIN_API_VERSION }) => {
    if (!address) return undefined;
    const query = `${toPath('resourcequery', 'resources', 'query')}?api-version=${encodeURIComponent(ADMIN_API_VERSION)}`;
    return {
      who: 'The administrative interface',
      variable: 'ADMIN_API_BASE_URL',
      address,
      operation: `${address}${query}`,
    };
  },
);

export const IDENTITY_PROVIDER = createCheck('The identity provider', ({ AUTH_URL: address }) => ({
  who: 'The identity provider',
  variable: 'AUTH_URL',
  address,
}));

export function toAssistant({ ASSISTANT_BASE_URL: address, ASSISTANT_STAGE }: Config): Service {
  const operation = toConversationsUrl(address, ASSISTANT_STAGE);
  return { who: 'The assistant service', variable: 'ASSISTANT_BASE_URL', address, operation };
}

/** Checks that the service can be reached and refuses requests without a token. */
function createCheck(name: string, toService: (config: Config) => Service | undefined): Check {
  return {
    name,
    section: 'Services',
    words,
    async look({ config, http }) {
      const service = toService(config);
      if (!service) return undefined;
      const reached = await lookAtAddress(service, config);
      if (!service.operation || reached.level === 'error') return reached;
      const judged = judge(service, new URL(service.operation), await askWithoutToken(http, service.operation));
      return [reached, { ...judged, variable: service.variable }];
    },
  };
}

/** Whether a connection to the address can be made in the same way as the app does. Sends no request. */
export async function lookAtAddress({ who, variable, address }: Service, proxies: ProxySettings): Promise<Finding> {
  const { origin } = new URL(address);
  const name = `${who} at ${origin}`;
  const begunAt = performance.now();
  try {
    const validTo = await connect(origin, proxies);
    const ms = Math.round(performance.now() - begunAt);
    const days = validTo === undefined ? undefined : Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    if (days === undefined) return { ...say('answers', { name, ms }), variable };
    return { ...say(days < SOON_DAYS ? 'expiring' : 'certified', { name, ms, days }), variable };
  } catch (cause) {
    const why = describeConnectionFault(readConnectionFault(cause), variable);
    return { ...say('unreachable', { name, why }), variable };
  }
}

/** The end of a sentence that says what cannot be reached: the cause, and what to do. */
export function describeConnectionFault(fault: ConnectionFault | undefined, variable: string): string {
  if (!fault) return `. Check the network, and ${variable}.`;
  return fault.kind === 'network'
    ? ` (${fault.code}). ${fault.advice} Check ${variable}.`
    : ` (${variable}; ${fault.code}). ${fault.advice}`;
}

/** https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md#undiciclientconnected */
type Connected = { connectParams: { host: string; protocol: string }; socket: Socket };

const CONNECTED = 'undici:client:connected';

/** Begins a request and aborts it before anything is sent. Resolves with the certificate's end, if there is TLS. */
async function connect(origin: string, proxies: ProxySettings): Promise<string | undefined> {
  // A client of its own, without open connections.
  const http = createHttpClient({ proxies });
  const enough = new AbortController();
  let connected: { validTo: string | undefined } | undefined;
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as Connected;
    if (`${connectParams.protocol}//${connectParams.host}` !== origin) return;
    connected = { validTo: socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : undefined };
    enough.abort();
  };
  subscribe(CONNECTED, onConnected);
  try {
    const request = { method: 'GET', url: origin, subject: 'doctor', signal: enough.signal } as const;
    await http.send({ ...request, totalTimeoutMs: CONNECT_TIMEOUT_MS });
  } catch (cause) {
    if (!connected) throw cause;
  } finally {
    unsubscribe(CONNECTED, onConnected);
    await http.close();
  }
  return connected?.validTo;
}

/** `isPage`: the answer is HTML, which neither interface sends. */
type Answer = { status: number; isPage: boolean };

/** Invalid JSON, so that even a service that asks for no token does nothing. */
const UNREADABLE = '{';

/** Undefined: no answer. */
async function askWithoutToken(http: HttpClient, url: string): Promise<Answer | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', url, subject: 'doctor', headers, body: UNREADABLE } as const;
    const response = await http.send({ ...request, totalTimeoutMs: TIMEOUT_MS });
    return { status: response.status, isPage: String(response.headers['content-type']).includes('html') };
  } catch {
    return undefined;
  }
}

function judge({ who, variable }: Service, { pathname: path, origin }: URL, answer: Answer | undefined): Finding {
  const name = `${who} at ${origin}`;
  if (!answer) return say('silent', { name, path, variable });
  const { status, isPage } = answer;
  const values = { name, path, variable, status, who, page: isPage ? ', a web page' : '' };
  if (status === 404 || status === 405) return say('notThere', values);
  if (status >= 500) return say('faulty', values);
  if (isPage) return say('page', values);
  if (status === 401 || status === 403) return say('right', values);
  if (status === 429) return say('limited', values);
  if (status === 400 && variable === 'ADMIN_API_BASE_URL') return say('otherVersion', values);
  return say([400, 415, 422].includes(status) ? 'readsFirst' : 'open', values);
}
