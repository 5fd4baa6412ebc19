import type { Config } from '../../src/config.ts';
import { type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** The process on this machine, and the way to it that people and Slack take. None of it has to be up for a look. */
export async function lookAtApp({ PORT, PUBLIC_URL }: Config): Promise<Finding[]> {
  const [ready, health] = await Promise.all([
    askStatus(`http://127.0.0.1:${PORT}/ready`),
    askStatus(`${PUBLIC_URL}/health`),
  ]);
  return [describeProcess(PORT, ready), describeWay(PUBLIC_URL, health)];
}

/** 0: nobody answers. */
async function askStatus(url: string): Promise<number> {
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return status;
  } catch {
    return 0;
  }
}

function describeProcess(port: number, status: number): Finding {
  if (status === 200) return ok(`It listens on port ${port} of this machine, and is ready.`);
  if (status === 503) return warning(`It listens on port ${port} of this machine, but is not ready: see /ready there.`);
  if (status === 0) return warning(`Nothing listens on port ${port} of this machine. Is it here that the app runs?`);
  return warning(`Something else than the app listens on port ${port} of this machine (status ${status}).`);
}

function describeWay(publicUrl: string, status: number): Finding {
  if (status === 200) return ok(`It can be reached at ${publicUrl}.`);
  const what = status === 0 ? 'Nothing answers' : `Something answers with status ${status}`;
  return warning(
    `${what} at ${publicUrl} (PUBLIC_URL) as seen from here. Slack and people's browsers have to reach it.`,
  );
}
