import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import { toLocalUrl } from '../http/listen.ts';
import { VERSION } from '../version.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** As `engines` in package.json. */
const OLDEST_NODE = 24;

/** The release and the Node that look, and those of the app that runs here. */
export async function lookAtVersions(
  { OPS_HOST: host, OPS_PORT: port }: Pick<Config, 'OPS_HOST' | 'OPS_PORT'>,
  { http, isAppReady }: { http: HttpClient; isAppReady: Promise<boolean> },
): Promise<Finding[]> {
  const node = describeNode(process.versions.node);
  if (!(await isAppReady) || port === 0) return [node];
  const running = await readRunning(http, `${toLocalUrl({ host, port })}/metrics`);
  return [node, ...(running ? [describeRunning(running)] : [])];
}

export function describeNode(version: string): Finding {
  return Number.parseInt(version, 10) >= OLDEST_NODE
    ? ok(`This is release ${VERSION} on Node ${version}.`)
    : error(`This is Node ${version}, which is too old. Use Node ${OLDEST_NODE} or newer.`);
}

type Running = { version: string; node: string };

function describeRunning({ version, node }: Running): Finding {
  if (version === VERSION) return ok(`The app on this machine is the same release, on Node ${node}.`);
  return warning(
    `The app on this machine is release ${version}, and this one is ${VERSION}. Restart the app, or look with the release that runs.`,
  );
}

/** From `assistant_bridge_build_info`. Undefined where there is none, as where another program has that port. */
async function readRunning(http: HttpClient, url: string): Promise<Running | undefined> {
  try {
    const response = await http.send({ method: 'GET', url, subject: 'doctor', totalTimeoutMs: TIMEOUT_MS });
    const info = /^assistant_bridge_build_info\{version="([\w.+-]{1,40})",node="([\w.+-]{1,40})"\} 1$/m;
    const [, version, node] = info.exec(await response.text()) ?? [];
    return version && node ? { version, node } : undefined;
  } catch {
    return undefined;
  }
}
