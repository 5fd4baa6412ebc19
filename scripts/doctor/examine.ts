import { type Config, ConfigError } from '../../src/config.ts';
import { error, type Finding, ok, type Section, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';
import { lookAtApp } from './look-at-app.ts';
import { lookAtCertificate } from './look-at-certificate.ts';
import { lookAtIdentityProvider } from './look-at-identity-provider.ts';
import { lookAtInterfaces } from './look-at-interfaces.ts';
import { lookAtRegister } from './look-at-register.ts';
import { lookAtSlack } from './look-at-slack.ts';
import { lookAtStore } from './look-at-store.ts';

/**
 * Reads the configuration and looks at all that it names. Takes a few seconds, 20 with many workspaces, and changes
 * nothing. Where the configuration cannot be read, its problems are all that is found.
 */
export async function lookAtAll(readConfig: () => Config): Promise<Section[]> {
  try {
    return await examine(readConfig());
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    return [{ title: 'Configuration', findings: cause.problems.map((problem) => error(problem)) }];
  }
}

/** Looks at all that the configuration names. */
export async function examine(config: Config): Promise<Section[]> {
  const seen = lookAtApp(config);
  const isAppReady = seen.then(({ isReady }) => isReady);
  const [app, register, slack, services, stored, signIn] = await Promise.all([
    seen,
    lookAtRegister(config),
    lookAtSlack(config),
    lookAtServices(config),
    lookAtStore(config, isAppReady),
    lookAtIdentityProvider(config),
  ]);
  return [
    { title: 'Configuration', findings: [...describeConfiguration(config), ...register] },
    { title: 'App', findings: app.findings },
    ...stored,
    { title: 'Slack', findings: slack },
    { title: 'Services', findings: services },
    { title: 'Sign-in', findings: signIn },
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
  if (AUTH_CLIENT_CERTIFICATE) findings.push(lookAtCertificate(AUTH_CLIENT_CERTIFICATE, Date.now()));
  if (SLACK_BUDGETS === 'off') {
    findings.push(
      warning('SLACK_BUDGETS is off: Slack will answer 429 under load. Take it out, except for load tests.'),
    );
  }
  if (LOG_LEVEL === 'silent') findings.push(warning('LOG_LEVEL is silent: nobody will know what went wrong.'));
  return findings;
}

async function lookAtServices(config: Config): Promise<Finding[]> {
  const [interfaces, identityProvider] = await Promise.all([
    lookAtInterfaces(config),
    lookAtAddress({ who: 'The identity provider', variable: 'AUTH_URL', address: config.AUTH_URL }),
  ]);
  return [...interfaces, identityProvider];
}
