import { type Config, ConfigError } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { createHttpClient } from '../http/http-client.ts';
import {
  type AppSeen,
  type Check,
  type Finding,
  type Section,
  type Sight,
  type Stage,
  type StoreSeen,
  speak,
  toList,
} from './check.ts';
import { APP, seeApp } from './checks/app.ts';
import { ARRIVALS } from './checks/arrivals.ts';
import { AUDIT } from './checks/audit.ts';
import { CLOCK, watchClocks } from './checks/clock.ts';
import { CERTIFICATE, VARIABLES } from './checks/configuration.ts';
import { DISK } from './checks/disk.ts';
import { FEEDBACK_CHANNEL } from './checks/feedback-channel.ts';
import { KEYS } from './checks/keys.ts';
import { POLICY } from './checks/policy.ts';
import { ADMIN_INTERFACE, ASSISTANT_SERVICE, IDENTITY_PROVIDER } from './checks/services.ts';
import { SIGN_IN, SLACK_CLIENT } from './checks/sign-in.ts';
import { APP_TOKEN, BOT_TOKEN, INSTALLATIONS } from './checks/slack-tokens.ts';
import { STORE, seeStore } from './checks/store.ts';
import { TURNS } from './checks/turns.ts';
import { VERSIONS } from './checks/versions.ts';

/** All checks, in the order of the report. */
const CHECKS: readonly Check[] = [
  VARIABLES,
  CERTIFICATE,
  VERSIONS,
  CLOCK,
  APP,
  STORE,
  DISK,
  KEYS,
  AUDIT,
  POLICY,
  ARRIVALS,
  TURNS,
  INSTALLATIONS,
  BOT_TOKEN,
  APP_TOKEN,
  FEEDBACK_CHANNEL,
  ASSISTANT_SERVICE,
  ADMIN_INTERFACE,
  IDENTITY_PROVIDER,
  SIGN_IN,
  SLACK_CLIENT,
];

/**
 * Reads the configuration and runs all checks. Takes a few seconds, 20 with many workspaces, and changes nothing. If
 * the configuration cannot be read, its problems are the only findings.
 */
export async function lookAtAll(readConfig: () => Config, stage: Stage = 'running'): Promise<Section[]> {
  try {
    return await examine(readConfig(), stage);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const findings = cause.problems.map((sentence): Finding => ({ level: 'error', sentence }));
    return [{ title: VARIABLES.section, findings }];
  }
}

/** Runs all checks, or some of them. */
export async function examine(config: Config, stage: Stage = 'running', checks = CHECKS): Promise<Section[]> {
  const client = createHttpClient({ proxies: config });
  const { http, aheadMs } = watchClocks(client);
  let seen: Promise<AppSeen> | undefined;
  let opened: Promise<StoreSeen> | undefined;
  const app = () => (seen ??= seeApp(config, http));
  const store = () => (opened ??= seeStore(config, app));
  const look = (check: Check) => lookAt(check, { config, http, stage, app, store, aheadMs });
  try {
    const others = new Map(checks.filter((check) => check !== CLOCK).map((check) => [check, look(check)]));
    await Promise.all(others.values());
    // Last: the clock is compared with the Date headers that the others got.
    const found = checks.map(async (check) => ({ check, findings: await (others.get(check) ?? look(check)) }));
    const sections = Map.groupBy(await Promise.all(found), ({ check }) => check.section);
    return [...sections].map(([title, those]) => ({ title, findings: those.flatMap(({ findings }) => findings) }));
  } finally {
    await (await opened)?.reader?.close();
    await client.close();
  }
}

/** Runs one check. An error becomes a finding, so that the other checks still run. */
export async function lookAt({ name, look }: Check, sight: Sight): Promise<Finding[]> {
  try {
    return toList(await look(sight));
  } catch (cause) {
    // Do not show messages of other errors, which may contain anything.
    const why =
      cause instanceof BridgeError ? cause.message : `${cause instanceof Error ? cause.name : 'unknown reason'}.`;
    return [say('failed', { name, why })];
  }
}

const { say } = speak({ failed: '✗ {name} could not be checked: {why}' });
