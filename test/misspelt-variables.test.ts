import { describe, expect, it } from 'vitest';
import { ConfigError, describeUnknown, readConfig } from '../src/config.ts';

const named = (name: string, meant: string) =>
  `${name} is not a variable of the app, and has no effect. If you meant ${meant}, rename it.`;

describe('a variable that nobody reads', () => {
  it.each([
    ['ADMIN_USER', 'ADMIN_USERS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['REDDIS_URL', 'REDIS_URL'],
    ['redis_url', 'REDIS_URL'],
    ['ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
    ['AUTH_CLIENT_SERCET', 'AUTH_CLIENT_SECRET'],
    ['SLACK_BOT_TOKEN_FIL', 'SLACK_BOT_TOKEN_FILE'],
    ['HTTPS_PROXI', 'HTTPS_PROXY'],
  ])('is named with the one it resembles: %s', (name, meant) => {
    expect(describeUnknown({ [name]: 'hush' })).toEqual([named(name, meant)]);
  });

  it('is not named where the one it resembles is set', () => {
    expect(describeUnknown({ http_proxy: 'http://p:1', https_proxy: 'http://p:1' })).toEqual([]);
    expect(describeUnknown({ SLACK_API_TOKEN: 'of another program', SLACK_APP_TOKEN: 'xapp-1' })).toEqual([]);
  });

  it.each(['https_proxy', 'SLACK_BOT_TOKEN_FILE', 'PORT'])('is none of ours: %s', (name) => {
    expect(describeUnknown({ [name]: 'value' })).toEqual([]);
  });

  it('is not named where it is of another program', () => {
    const others =
      'PATH HOME LANG PWD SHLVL POST HOSTS HOSTNAME TZ TERM LOGNAME LC_ALL NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE NODE_VERSION ' +
      'FTP_PROXY ALL_PROXY GOPROXY REDIS_HOST REDIS_PORT REDIS_PASSWORD REDIS_SERVICE_PORT APP_PORT LOG_FORMAT DB_URL ' +
      'DATABASE_URL AWS_REGION KUBERNETES_SERVICE_HOST KUBERNETES_PORT XDG_RUNTIME_DIR INVOCATION_ID JOURNAL_STREAM ' +
      'MEMORY_PRESSURE_WATCH npm_lifecycle_event npm_config_cache SSH_AUTH_SOCK OTEL_EXPORTER_OTLP_ENDPOINT UPSTREAMS';
    const environment = Object.fromEntries(others.split(' ').map((name) => [name, 'value']));

    expect(describeUnknown(environment)).toEqual([]);
  });

  it('is named beside the required one that is missing for it', () => {
    const read = () => readConfig({ SLACK_SIGNING_SECRT: 'a'.repeat(32) });

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(named('SLACK_SIGNING_SECRT', 'SLACK_SIGNING_SECRET'));
  });
});
