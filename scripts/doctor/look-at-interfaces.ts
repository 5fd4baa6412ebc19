import { toPath } from '../../src/admin-api/admin-client.ts';
import { toConversationsUrl } from '../../src/assistant/assistant-client.ts';
import type { Config } from '../../src/config.ts';
import { error, type Finding, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';

const TIMEOUT_MS = 5_000;

type Service = { who: string; variable: string; address: string; operation: string };

/** The two interfaces: whether they are there, and, asked without a token, refuse us as they should. */
export async function lookAtInterfaces(config: Config): Promise<Finding[]> {
  const { ASSISTANT_BASE_URL, ASSISTANT_STAGE, ADMIN_API_BASE_URL, ADMIN_API_VERSION } = config;
  const services: Service[] = [
    {
      who: 'The assistant service',
      variable: 'ASSISTANT_BASE_URL',
      address: ASSISTANT_BASE_URL,
      operation: toConversationsUrl(ASSISTANT_BASE_URL, ASSISTANT_STAGE),
    },
  ];
  if (ADMIN_API_BASE_URL) {
    const query = toPath('resourcequery', 'resources', 'query');
    services.push({
      who: 'The administrative interface',
      variable: 'ADMIN_API_BASE_URL',
      address: ADMIN_API_BASE_URL,
      operation: `${ADMIN_API_BASE_URL}${query}?api-version=${encodeURIComponent(ADMIN_API_VERSION)}`,
    });
  }
  return (await Promise.all(services.map(lookAtInterface))).flat();
}

async function lookAtInterface(service: Service): Promise<Finding[]> {
  const reached = await lookAtAddress(service);
  if (reached.level === 'error') return [reached];
  const status = await askWithoutToken(service.operation);
  return [reached, ...judge(service, status)];
}

/** Nothing is done without a token. Undefined: no answer. */
async function askWithoutToken(url: string): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body: '{}', redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function judge({ who, variable, operation }: Service, status: number | undefined): Finding[] {
  const { pathname, origin } = new URL(operation);
  const there = `${who} at ${origin}`;
  if (status === undefined)
    return [error(`${there} does not answer a request (${pathname}). Look again, and check ${variable}.`)];
  if (status === 401 || status === 403 || status === 429) return [];
  if (status >= 500)
    return [warning(`${there} has a fault of its own (status ${status}). Look again in a few minutes.`)];
  if (status === 400 && variable === 'ADMIN_API_BASE_URL') {
    return [error(`${there} refuses the version of the interface (status 400). Check ADMIN_API_VERSION.`)];
  }
  if (status === 404 || status === 405) {
    return [error(`${there} has no ${pathname} (status ${status}). Check the host and the path of ${variable}.`)];
  }
  return [
    error(`${there} answers without asking who we are (status ${status}): this is something else. Check ${variable}.`),
  ];
}
