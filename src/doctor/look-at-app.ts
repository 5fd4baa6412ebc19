import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import { toLocalUrl } from '../http/listen.ts';
import { error, type Finding, ok, type Stage, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

export type AppSeen = {
  findings: Finding[];
  /** An app on this machine says that it is ready, and so that it has a store that can be written. */
  isReady: boolean;
};

/** The process on this machine, and the way to it that people and Slack take. */
export async function lookAtApp(config: Config, http: HttpClient, stage: Stage = 'running'): Promise<AppSeen> {
  const { HOST, PORT, PUBLIC_URL } = config;
  const [ready, health] = await Promise.all([
    askProbe(http, `${toLocalUrl({ host: HOST, port: PORT })}/ready`),
    askProbe(http, `${PUBLIC_URL}/health`),
  ]);
  const isReady = ready.status === 200 && ready.word === 'ready';
  return { findings: [describeProcess(PORT, ready, stage), describeWay(config, health, { isReady, stage })], isReady };
}

/** `status` 0: nobody answers. `word`: what a probe of the app says, see src/ops/readiness.ts. */
type Answer = { status: number; word: string | undefined };

async function askProbe(http: HttpClient, url: string): Promise<Answer> {
  try {
    const response = await http.send({ method: 'GET', url, subject: 'doctor', totalTimeoutMs: TIMEOUT_MS });
    return { status: response.status, word: parseWord(await response.text()) };
  } catch {
    return { status: 0, word: undefined };
  }
}

/** Anybody may listen there: what is no word of a probe is not shown. */
function parseWord(body: string): string | undefined {
  return /^\{"status":"(\w{1,40})"\}$/.exec(body.trim())?.[1];
}

function describeProcess(port: number, { status, word }: Answer, stage: Stage): Finding {
  if (status === 200 && word === 'ready') return ok(`It listens on port ${port} of this machine, and is ready.`);
  if (status === 503) return describeUnready(`It listens on port ${port} of this machine, but is not ready`, word);
  if (status === 0) return describeStopped(port, stage);
  return error(
    `Something else than the app listens on port ${port} (PORT) of this machine (status ${status}). End it, or set PORT to another port.`,
  );
}

function describeStopped(port: number, stage: Stage): Finding {
  if (stage === 'before start')
    return ok(`Nothing listens on port ${port} (PORT) of this machine: the app can have it.`);
  return error(
    `The app is not running: nothing listens on port ${port} (PORT) of this machine. Start it, or look on the machine or in the container where it runs. Before the first start: npm run doctor -- --before-start.`,
  );
}

function describeUnready(what: string, word: string | undefined): Finding {
  switch (word) {
    case 'store_unavailable':
      return error(
        `${what} (store_unavailable): it cannot write to its store, and takes nothing in until it can. See what is said of the store here, and its disk; it then goes on by itself.`,
      );
    case 'draining':
      return warning(
        `${what} (draining): it is stopping, and finishes what runs. Where it was not meant to, see who ended it, and start it again.`,
      );
    case 'slack_unavailable':
      return error(
        `${what} (slack_unavailable): it has no connection to Slack, so nobody is answered. See what is said of Slack here, and its log; it goes on trying by itself.`,
      );
    case undefined:
      return warning(`${what}, and does not say why. See its log.`);
    default:
      return warning(`${what} (${word}). See its log.`);
  }
}

/** The words of /health: whoever answers with another one is not the app. */
const HEALTH_WORDS = ['ok', 'event_loop_blocked'];

/** What proxies say while nobody is behind them. */
const PROXY_WAITS = [502, 503, 504];

function describeWay(
  { PORT, PUBLIC_URL, SLACK_API_URL, SLACK_APP_TOKEN }: Config,
  { status, word }: Answer,
  { isReady, stage }: { isReady: boolean; stage: Stage },
): Finding {
  const who = SLACK_APP_TOKEN ? "people's browsers" : "Slack and people's browsers";
  if (isLocal(PUBLIC_URL) && !isLocal(SLACK_API_URL)) {
    return error(
      `PUBLIC_URL is ${PUBLIC_URL}, which is this machine alone: ${who} cannot reach it. Set it to the https address that leads to port ${PORT}, and make the manifest for it.`,
    );
  }
  if (word !== undefined && HEALTH_WORDS.includes(word)) return ok(`It can be reached at ${PUBLIC_URL}.`);
  if (status === 0) {
    return warning(
      `Nothing answers at ${PUBLIC_URL} (PUBLIC_URL) as seen from here. ${capitalise(who)} have to reach it: check the name, TLS, and the proxy in front.`,
    );
  }
  if (stage === 'before start' && !isReady && PROXY_WAITS.includes(status)) {
    return ok(`What is in front of the app answers at ${PUBLIC_URL} (PUBLIC_URL), and finds no app yet.`);
  }
  const describe = isReady ? error : warning;
  return describe(
    `Something else than the app answers at ${PUBLIC_URL}/health (PUBLIC_URL; status ${status}). Check PUBLIC_URL, and that the proxy there passes every path on to port ${PORT}.`,
  );
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isLocal(url: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(url).hostname);
}
