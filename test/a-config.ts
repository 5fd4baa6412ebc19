import { randomBytes } from 'node:crypto';
import { type Config, readConfig } from '../src/config.ts';

/** What a configuration cannot be without, of services that are not there. */
export const ENVIRONMENT = {
  SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
  SLACK_BOT_TOKEN: 'xoxb-token',
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'https://bridge.example',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  ASSISTANT_BASE_URL: 'https://assistant.example',
  ASSISTANT_SCOPE: 'api://assistant/Agent.Ask',
  AUTH_URL: 'https://auth.example',
  AUTH_TENANT_ID: 'tenant',
  AUTH_CLIENT_ID: 'client',
  AUTH_CLIENT_SECRET: 'secret',
};

/** A configuration that can be read, with a key of its own. */
export function aConfig(changes: Record<string, string> = {}): Config {
  return readConfig({ ...ENVIRONMENT, ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`, ...changes });
}
