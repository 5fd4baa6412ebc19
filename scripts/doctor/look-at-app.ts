import type { Config } from '../../src/config.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

export type AppSeen = {
  findings: Finding[];
  /** An app on this machine says that it is ready, and so that it has a store that can be written. */
  isReady: boolean;
};

/** The process on this machine, and the way to it that people and Slack take. None of it has to be up for a look. */
export async function lookAtApp(config: Config): Promise<AppSeen> {
  const { PORT, PUBLIC_URL } = config;
  const [ready, health] = await Promise.all([
    askProbe(`http://127.0.0.1:${PORT}/ready`),
    askProbe(`${PUBLIC_URL}/health`),
  ]);
  const isReady = ready.status === 200 && ready.word === 'ready';
  return { findings: [describeProcess(PORT, ready), describeWay(config, health, isReady)], isReady };
}

/** `status` 0: nobody answers. `word`: what a probe of the app says, see src/ops/readiness.ts. */
type Answer = { status: number; word: string | undefined };

async function askProbe(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, word: parseWord(await response.text()) };
  } catch {
    return { status: 0, word: undefined };
  }
}

/** Anybody may listen there: what is no word of a probe is not shown. */
function parseWord(body: string): string | undefined {
  return /^\{"status":"(\w{1,40})"\}$/.exec(body.trim())?.[1];
}

function describeProcess(port: number, { status, word }: Answer): Finding {
  if (status === 200 && word === 'ready') return ok(`It listens on port ${port} of this machine, and is ready.`);
  if (status === 503) return describeUnready(`It listens on port ${port} of this machine, but is not ready`, word);
  if (status === 0)
    return warning(`Nothing listens on port ${port} (PORT) of this machine. Is it here that the app runs?`);
  return warning(`Something else than the app listens on port ${port} (PORT) of this machine (status ${status}).`);
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
    case undefined:
      return warning(`${what}, and does not say why. See its log.`);
    default:
      return warning(`${what} (${word}). See its log.`);
  }
}

/** The words of /health: whoever answers with another one is not the app. */
const HEALTH_WORDS = ['ok', 'event_loop_blocked'];

function describeWay({ PORT, PUBLIC_URL, SLACK_API_URL }: Config, { status, word }: Answer, isReady: boolean): Finding {
  if (isLocal(PUBLIC_URL) && !isLocal(SLACK_API_URL)) {
    return error(
      `PUBLIC_URL is ${PUBLIC_URL}, which is this machine alone: Slack and people's browsers cannot reach it. Set it to the https address that leads to port ${PORT}, and make the manifest for it.`,
    );
  }
  if (word !== undefined && HEALTH_WORDS.includes(word)) return ok(`It can be reached at ${PUBLIC_URL}.`);
  if (status === 0) {
    return warning(
      `Nothing answers at ${PUBLIC_URL} (PUBLIC_URL) as seen from here. Slack and people's browsers have to reach it: check the name, TLS, and the proxy in front.`,
    );
  }
  const describe = isReady ? error : warning;
  return describe(
    `Something else than the app answers at ${PUBLIC_URL}/health (PUBLIC_URL; status ${status}). Check PUBLIC_URL, and that the proxy there passes every path on to port ${PORT}.`,
  );
}

function isLocal(url: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(url).hostname);
}
