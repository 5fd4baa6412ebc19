import type { Config } from '../../config.ts';
import { toLocalUrl } from '../../http/bounded-server.ts';
import type { HttpClient } from '../../http/http-client.ts';
import type { HealthWord, ReadyWord } from '../../ops/readiness.ts';
import { type AppSeen, type Check, type Finding, type ProbeAnswer, type Stage, speak } from '../check.ts';

const TIMEOUT_MS = 5_000;

/** The words of `/ready` when the app is not ready. */
const UNREADY = speak({
  store_unavailable:
    '✗ It listens on port {port} of this machine, but is not ready (store_unavailable): it cannot write to its store, and accepts no questions until it can. See the section Store here, and the disk of the store. The app then goes on by itself.',
  draining:
    '! It listens on port {port} of this machine, but is not ready (draining): it is stopping, and finishes running questions. If nobody meant to stop it, find out who did, and start it again.',
  slack_unavailable:
    '✗ It listens on port {port} of this machine, but is not ready (slack_unavailable): it has no connection to Slack, so nobody is answered. See the section Slack here, and the log of the app. It keeps trying by itself.',
});

const { words, say } = speak({
  ready: '✓ It listens on port {port} of this machine, and is ready.',
  free: '✓ Nothing listens on port {port} (PORT) of this machine: the app can use it.',
  stopped:
    '✗ The app is not running: nothing listens on port {port} (PORT) of this machine. Start it, or look on the machine or in the container where it runs. Before the first start: npm run doctor -- --before-start.',
  taken:
    '✗ A program other than the app listens on port {port} (PORT) of this machine (status {status}). End it, or set PORT to another port.',
  unready: '! It listens on port {port} of this machine, but is not ready{why}. See its log.',
  reached: '✓ It can be reached at {url}.',
  noAppYet: '✓ The proxy in front of the app answers at {url} (PUBLIC_URL), and finds no app yet.',
  local:
    '✗ PUBLIC_URL is {url}, which leads only to this machine: {who} cannot reach it. Set it to the https address that leads to port {port}, and make the manifest for it.',
  silent:
    '! Nothing answers at {url} (PUBLIC_URL) as seen from here. {who} have to reach it: check the name, TLS, and the proxy in front.',
  other:
    '✗ A program other than the app answers at {url}/health (PUBLIC_URL; status {status}). Check PUBLIC_URL, and that the proxy there passes every path on to port {port}.',
});

/** The process on this machine, and the address at which people and Slack reach it. */
export const APP: Check = {
  name: 'The app',
  section: 'App',
  words: { ...UNREADY.words, ...words },
  async look({ config, stage, app }) {
    const seen = await app();
    return [describeProcess(config.PORT, seen.ready, stage), describeWay(config, seen, stage)];
  },
};

/** Sends the same probes as load balancers. */
export async function seeApp({ HOST, PORT, PUBLIC_URL }: Config, http: HttpClient): Promise<AppSeen> {
  const [ready, health] = await Promise.all([
    askProbe(http, `${toLocalUrl({ host: HOST, port: PORT })}/ready`),
    askProbe(http, `${PUBLIC_URL}/health`),
  ]);
  return { ready, health, isReady: ready.status === 200 && ready.word === 'ready' };
}

const NOBODY: ProbeAnswer = { status: 0, word: undefined };

async function askProbe(http: HttpClient, url: string): Promise<ProbeAnswer> {
  try {
    const response = await http.send({ method: 'GET', url, subject: 'doctor', totalTimeoutMs: TIMEOUT_MS });
    // Another program may listen there: show only words of the probes.
    const [, word] = /^\{"status":"(\w{1,40})"\}$/.exec((await response.text()).trim()) ?? [];
    return { status: response.status, word };
  } catch {
    return NOBODY;
  }
}

function describeProcess(port: number, { status, word }: ProbeAnswer, stage: Stage): Finding {
  if (status === 0) return say(stage === 'before start' ? 'free' : 'stopped', { port });
  if (status === 200 && word === 'ready') return say('ready', { port });
  if (status !== 503) return say('taken', { port, status });
  if (isUnready(word)) return UNREADY.say(word, { port });
  return say('unready', { port, why: word === undefined ? ', and does not say why' : ` (${word})` });
}

function isUnready(word: string | undefined): word is Exclude<ReadyWord, 'ready'> {
  return word !== undefined && Object.hasOwn(UNREADY.words, word);
}

/** A program that answers /health with another word is not the app. */
const HEALTH_WORDS: ReadonlySet<string | undefined> = new Set<HealthWord>(['ok', 'event_loop_blocked']);

/** The answers of proxies without a running app behind them. */
const PROXY_WAITS = [502, 503, 504];

function describeWay(
  { PORT: port, PUBLIC_URL: url, SLACK_API_URL, SLACK_APP_TOKEN }: Config,
  { health: { status, word }, isReady }: AppSeen,
  stage: Stage,
): Finding {
  if (isLocal(url) && !isLocal(SLACK_API_URL)) {
    return say('local', { url, port, who: SLACK_APP_TOKEN ? "people's browsers" : "Slack and people's browsers" });
  }
  if (HEALTH_WORDS.has(word)) return say('reached', { url });
  if (status === 0) {
    return say('silent', { url, who: SLACK_APP_TOKEN ? "People's browsers" : "Slack and people's browsers" });
  }
  if (stage === 'before start' && !isReady && PROXY_WAITS.includes(status)) return say('noAppYet', { url });
  return { ...say('other', { url, status, port }), level: isReady ? 'error' : 'warning' };
}

function isLocal(url: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(url).hostname);
}
