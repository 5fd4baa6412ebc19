import { toLocalUrl } from '../../http/bounded-server.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { VERSION } from '../../version.ts';
import { type Check, speak } from '../check.ts';

const TIMEOUT_MS = 5_000;

/** As `engines` in package.json. */
const OLDEST_NODE = 24;

const { words, say } = speak({
  here: '✓ This is release {version} on Node {node}.',
  oldNode: '✗ This is Node {node}, which is too old. Use Node {oldest} or newer.',
  same: '✓ The app on this machine is the same release, on Node {node}.',
  other:
    '! The app on this machine is release {running}, and this doctor is {version}. Restart the app, or run the doctor of its release.',
});

/** The release and the Node of the doctor, and those of the app that runs here. */
export const VERSIONS: Check = {
  name: 'The release',
  section: 'This machine',
  words,
  async look({ config: { OPS_HOST: host, OPS_PORT: port }, http, app }) {
    const node = describeNode(process.versions.node);
    if (port === 0 || !(await app()).isReady) return node;
    const running = await readRunning(http, `${toLocalUrl({ host, port })}/metrics`);
    if (!running) return node;
    const isSame = running.version === VERSION;
    return [node, isSame ? say('same', running) : say('other', { running: running.version, version: VERSION })];
  },
};

export function describeNode(node: string) {
  return Number.parseInt(node, 10) >= OLDEST_NODE
    ? say('here', { version: VERSION, node })
    : say('oldNode', { node, oldest: OLDEST_NODE });
}

/** Reads `assistant_bridge_build_info`. Undefined: it is not there, or another program has that port. */
async function readRunning(http: HttpClient, url: string): Promise<{ version: string; node: string } | undefined> {
  try {
    const response = await http.send({ method: 'GET', url, subject: 'doctor', totalTimeoutMs: TIMEOUT_MS });
    const info = /^assistant_bridge_build_info\{version="([\w.+-]{1,40})",node="([\w.+-]{1,40})"\} 1$/m;
    const [, version, node] = info.exec(await response.text()) ?? [];
    return version && node ? { version, node } : undefined;
  } catch {
    return undefined;
  }
}
