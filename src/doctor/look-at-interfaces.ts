import { toPath } from '../admin-api/admin-client.ts';
import { toConversationsUrl } from '../assistant/assistant-client.ts';
import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';

const TIMEOUT_MS = 5_000;

type Service = { who: string; variable: string; address: string; operation: string };

/** `isPage`: HTML, which neither interface answers with. */
type Answer = { status: number; isPage: boolean };

/** No JSON: even a service that asks for no token can do nothing with it. */
const UNREADABLE = '{';

/** The two interfaces: whether they are there, and, asked without a token, refuse us as they should. */
export async function lookAtInterfaces(config: Config, http: HttpClient): Promise<Finding[]> {
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
  return (await Promise.all(services.map((service) => lookAtInterface(service, config, http)))).flat();
}

async function lookAtInterface(service: Service, config: Config, http: HttpClient): Promise<Finding[]> {
  const reached = await lookAtAddress(service, config);
  const isThere = reached.level !== 'error';
  const judged = isThere ? [judge(service, await askWithoutToken(http, service.operation))] : [];
  return [reached, ...judged].map((finding) => ({ ...finding, variable: service.variable }));
}

/** Undefined: no answer. */
async function askWithoutToken(http: HttpClient, url: string): Promise<Answer | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const totalTimeoutMs = TIMEOUT_MS;
    const request = { method: 'POST', url, subject: 'doctor', headers, body: UNREADABLE, totalTimeoutMs } as const;
    const response = await http.send(request);
    const isPage = String(response.headers['content-type']).includes('html');
    return { status: response.status, isPage };
  } catch {
    return undefined;
  }
}

function judge({ who, variable, operation }: Service, answer: Answer | undefined): Finding {
  const { pathname, origin } = new URL(operation);
  const there = `${who} at ${origin}`;
  if (!answer) return error(`${there} does not answer a request (${pathname}). Look again, and check ${variable}.`);
  const { status, isPage } = answer;
  const page = isPage ? ', a web page' : '';
  if (status === 404 || status === 405) {
    return error(`${there} has no ${pathname} (status ${status}${page}). Check the host and the path of ${variable}.`);
  }
  if (status >= 500) return warning(`${there} has a fault of its own (status ${status}). Look again in a few minutes.`);
  if (isPage) {
    return error(
      `Something else answers for ${there}, with a web page (status ${status}): perhaps a firewall, a proxy or a sign-in page. Check ${variable}, and that this machine may call it.`,
    );
  }
  if (status === 401 || status === 403) return ok(`${who} asks for a token at ${pathname}, as it should.`);
  if (status === 429) return warning(`${there} limits how often it may be asked (status 429). Look again in a minute.`);
  if (status === 400 && variable === 'ADMIN_API_BASE_URL') {
    return error(`${there} refuses the version of the interface (status 400). Check ADMIN_API_VERSION.`);
  }
  if (status === 400 || status === 415 || status === 422) {
    return warning(
      `${there} reads a request before it asks for a token (status ${status}). Ask a question to be sure.`,
    );
  }
  return error(
    `${there} answers without asking who we are (status ${status}): this is something else. Check ${variable}.`,
  );
}
