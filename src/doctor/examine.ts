import { type Config, ConfigError, describeUnknown } from '../config.ts';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import { watchClocks } from './compare-clocks.ts';
import { error, type Finding, ok, type Section, type Stage, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';
import { lookAtApp } from './look-at-app.ts';
import { lookAtCertificate } from './look-at-certificate.ts';
import { lookAtIdentityProvider } from './look-at-identity-provider.ts';
import { lookAtInterfaces } from './look-at-interfaces.ts';
import { lookAtRegister } from './look-at-register.ts';
import { lookAtSlack } from './look-at-slack.ts';
import { lookAtStore } from './look-at-store.ts';
import { lookAtVersions } from './look-at-versions.ts';

/**
 * Reads the configuration and looks at all that it names. Takes a few seconds, 20 with many workspaces, and changes
 * nothing. Where the configuration cannot be read, its problems are all that is found.
 */
export async function lookAtAll(readConfig: () => Config, stage: Stage = 'running'): Promise<Section[]> {
  try {
    return await examine(readConfig(), stage);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    return [{ title: 'Configuration', findings: cause.problems.map((problem) => error(problem)) }];
  }
}

/** Looks at all that the configuration names. */
export async function examine(config: Config, stage: Stage = 'running'): Promise<Section[]> {
  const http = createHttpClient({ proxies: config });
  try {
    return await examineWith(http, config, stage);
  } finally {
    await http.close();
  }
}

async function examineWith(client: HttpClient, config: Config, stage: Stage): Promise<Section[]> {
  const { http, compare } = watchClocks(client);
  const seen = lookAtApp(config, http, stage);
  const isAppReady = seen.then(({ isReady }) => isReady);
  const [app, versions, register, slack, services, stored, signIn] = await Promise.all([
    seen,
    lookAtVersions(config, { http, isAppReady }),
    lookAtRegister(config),
    lookAtSlack(config, http, isAppReady),
    lookAtServices(config, http),
    lookAtStore(config, { http, isAppReady, stage }),
    lookAtIdentityProvider(config, http),
  ]);
  return [
    { title: 'Configuration', findings: [...describeConfiguration(config), ...register] },
    { title: 'This machine', findings: [...versions, compare(toTimekeepers(config))] },
    { title: 'App', findings: app.findings },
    ...stored,
    { title: 'Slack', findings: slack },
    { title: 'Services', findings: services },
    { title: 'Sign-in', findings: signIn },
  ];
}

/** Whose clocks count, best first: Slack signs with its own, and the identity provider's is in the tokens. */
function toTimekeepers({ SLACK_API_URL, AUTH_URL, ASSISTANT_BASE_URL }: Config) {
  return [
    { who: 'Slack', url: SLACK_API_URL },
    { who: 'the identity provider', url: AUTH_URL },
    { who: 'the assistant service', url: ASSISTANT_BASE_URL },
  ];
}

function describeConfiguration(config: Config): Finding[] {
  const { REDIS_URL, SQLITE_PATH, SLACK_BUDGETS, LOG_LEVEL, AUTH_CLIENT_CERTIFICATE } = config;
  const findings = [
    ok('Every variable can be read.'),
    // Not the whole address, which has the password in it.
    REDIS_URL
      ? ok(`Everything is kept in Redis at ${new URL(REDIS_URL).host}, for any number of replicas.`)
      : ok(`Everything is kept in SQLite at ${SQLITE_PATH}, for one process.`),
  ];
  findings.push(...describeUnknown().map((sentence) => warning(sentence)), ...describeProxies(config));
  if (AUTH_CLIENT_CERTIFICATE) findings.push(lookAtCertificate(AUTH_CLIENT_CERTIFICATE, Date.now()));
  if (SLACK_BUDGETS === 'off') {
    findings.push(
      warning('SLACK_BUDGETS is off: Slack will answer 429 under load. Take it out, except for load tests.'),
    );
  }
  if (LOG_LEVEL === 'silent') findings.push(warning('LOG_LEVEL is silent: nobody will know what went wrong.'));
  return findings;
}

/** The hosts only: the addresses have passwords in them. */
function describeProxies({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS }: Config): Finding[] {
  const proxy = HTTPS_PROXY ?? HTTP_PROXY;
  const findings: Finding[] = [];
  if (proxy) {
    const direct = `${NO_PROXY ? 'the hosts in NO_PROXY, ' : ''}Redis and loopback addresses`;
    findings.push(ok(`Calls to https addresses go through the proxy at ${new URL(proxy).host}, except to ${direct}.`));
    const ignored = NO_PROXY.split(/[,\s]+/).findIndex((entry) => entry.includes('/')) + 1;
    if (ignored > 0) {
      findings.push(
        warning(`Entry ${ignored} of NO_PROXY is ignored: it is a range or a URL. Only hosts and addresses count.`),
      );
    }
  }
  if (NODE_EXTRA_CA_CERTS) findings.push(ok(`The authorities in ${NODE_EXTRA_CA_CERTS} are trusted, too.`));
  return findings;
}

async function lookAtServices(config: Config, http: HttpClient): Promise<Finding[]> {
  const [interfaces, identityProvider] = await Promise.all([
    lookAtInterfaces(config, http),
    lookAtAddress({ who: 'The identity provider', variable: 'AUTH_URL', address: config.AUTH_URL }, config),
  ]);
  return [...interfaces, identityProvider];
}
