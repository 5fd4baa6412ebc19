import type { Config } from '../../src/config.ts';
import { BridgeError, StoreUnavailableError } from '../../src/errors.ts';
import { error, type Finding, ok, type Section, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';
import { lookAtApp } from './look-at-app.ts';
import { lookAtKeys } from './look-at-keys.ts';
import { lookAtSlack } from './look-at-slack.ts';
import { lookAtTurns } from './look-at-turns.ts';
import { openRedisReader } from './redis-reader.ts';
import { openSqliteReader } from './sqlite-reader.ts';

/** Looks at everything that the configuration names. Takes a few seconds at most, and changes nothing. */
export async function examine(config: Config): Promise<Section[]> {
  const [app, slack, services, stored] = await Promise.all([
    lookAtApp(config),
    lookAtSlack(config),
    lookAtServices(config),
    lookAtStore(config),
  ]);
  return [
    { title: 'Configuration', findings: describeConfiguration(config) },
    { title: 'App', findings: app },
    ...stored,
    { title: 'Slack', findings: slack },
    { title: 'Services', findings: services },
  ];
}

function describeConfiguration({ REDIS_URL, SQLITE_PATH, SLACK_BUDGETS, LOG_LEVEL }: Config): Finding[] {
  const findings = [
    ok('Every variable can be read.'),
    // Not the whole address, which has the password in it.
    REDIS_URL
      ? ok(`Everything is kept in Redis at ${new URL(REDIS_URL).host}, for any number of replicas.`)
      : ok(`Everything is kept in SQLite at ${SQLITE_PATH}, for one process.`),
  ];
  if (SLACK_BUDGETS === 'off') {
    findings.push(
      warning('SLACK_BUDGETS is off: Slack will answer 429 under load. Take it out, except for load tests.'),
    );
  }
  if (LOG_LEVEL === 'silent') findings.push(warning('LOG_LEVEL is silent: nobody will know what went wrong.'));
  return findings;
}

function lookAtServices(config: Config): Promise<Finding[]> {
  const { ASSISTANT_BASE_URL, AUTH_URL, ADMIN_API_BASE_URL } = config;
  const addresses = {
    ASSISTANT_BASE_URL: ['The assistant service', ASSISTANT_BASE_URL],
    AUTH_URL: ['The identity provider', AUTH_URL],
    ADMIN_API_BASE_URL: ['The administrative interface', ADMIN_API_BASE_URL],
  };
  return Promise.all(
    Object.entries(addresses).flatMap(([variable, [who = '', address]]) =>
      address ? [lookAtAddress({ who, variable, address })] : [],
    ),
  );
}

async function lookAtStore(config: Config): Promise<Section[]> {
  try {
    const store = config.REDIS_URL ? await openRedisReader(config.REDIS_URL) : openSqliteReader(config.SQLITE_PATH);
    if ('level' in store) return [{ title: 'Store', findings: [store] }];
    try {
      return [
        { title: 'Store', findings: store.findings },
        { title: 'Encryption keys', findings: await lookAtKeys(config.ENCRYPTION_KEYS, store.sealedRecords()) },
        { title: 'Questions', findings: await lookAtTurns(store, Date.now()) },
      ];
    } finally {
      await store.close();
    }
  } catch (cause) {
    return [{ title: 'Store', findings: [error(toSentence(cause))] }];
  }
}

function toSentence(cause: unknown): string {
  if (cause instanceof StoreUnavailableError)
    return `The store cannot be read: ${cause.message}. Look again in a moment.`;
  if (cause instanceof BridgeError) return cause.message;
  return `The store cannot be read (${cause instanceof Error ? cause.name : 'no error'}): another release may have written it.`;
}
