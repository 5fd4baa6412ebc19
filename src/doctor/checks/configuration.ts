import { X509Certificate } from 'node:crypto';
import { describeUnknown } from '../../config.ts';
import { BridgeError } from '../../errors.ts';
import { createCertificateAuth } from '../../identity/client-certificate.ts';
import { type Check, type Finding, speak } from '../check.ts';

const DAY_MS = 24 * 3_600_000;

/** Enough time to make a new certificate and add it at the identity provider. */
const SOON_DAYS = 30;

const { words, say } = speak({
  readable: '✓ Every variable can be read.',
  redis: '✓ Everything is kept in Redis at {host}, for any number of replicas.',
  sqlite: '✓ Everything is kept in SQLite at {path}, for one process.',
  misspelt: '! {sentence}',
  proxy: '✓ Calls to https addresses go through the proxy at {host}, except to {direct}.',
  ignored: '! Entry {entry} of NO_PROXY is ignored: it is a range or a URL. Only hosts and addresses count.',
  trusted: '✓ The authorities in {file} are trusted, too.',
  noBudgets: '! SLACK_BUDGETS is off: Slack will answer 429 under load. Take it out, except for load tests.',
  silent: '! LOG_LEVEL is silent: errors are not logged.',
});

/** The effect of the variables. Shows only the hosts of addresses, which may contain passwords. */
export const VARIABLES: Check = {
  name: 'The configuration',
  section: 'Configuration',
  words,
  look({ config }) {
    const { REDIS_URL, SQLITE_PATH: path, HTTPS_PROXY: proxy, NO_PROXY, NODE_EXTRA_CA_CERTS: file } = config;
    const direct = `${NO_PROXY ? 'the hosts in NO_PROXY, ' : ''}Redis and loopback addresses`;
    const entry = proxy ? NO_PROXY.split(/[,\s]+/).findIndex((one) => one.includes('/')) + 1 : 0;
    return [
      say('readable'),
      REDIS_URL ? say('redis', { host: new URL(REDIS_URL).host }) : say('sqlite', { path }),
      describeUnknown().map((sentence) => say('misspelt', { sentence })),
      proxy ? say('proxy', { host: new URL(proxy).host, direct }) : [],
      entry > 0 ? say('ignored', { entry }) : [],
      file ? say('trusted', { file }) : [],
      config.SLACK_BUDGETS === 'off' ? say('noBudgets') : [],
      config.LOG_LEVEL === 'silent' ? say('silent') : [],
    ];
  },
};

const certificate = speak({
  good: '✓ AUTH_CLIENT_CERTIFICATE can be used, and is good until {day}.',
  soon: '! AUTH_CLIENT_CERTIFICATE expires on {day}, in {days} days. Make a new one, add it at the identity provider, put it in AUTH_CLIENT_CERTIFICATE, and restart.',
  over: '! AUTH_CLIENT_CERTIFICATE expired on {day}: an identity provider may refuse it. Make a new one, add it at the identity provider, put it in AUTH_CLIENT_CERTIFICATE, and restart.',
  early: '! AUTH_CLIENT_CERTIFICATE is not valid before {time}. Check the clock of this machine, too.',
  unusable: '✗ {why} The app does not start with it. Put an RSA private key and its certificate there, in PEM.',
});

/** Whether the app can use AUTH_CLIENT_CERTIFICATE, and how long it is valid. */
export const CERTIFICATE: Check = {
  name: 'AUTH_CLIENT_CERTIFICATE',
  section: 'Configuration',
  words: certificate.words,
  look: ({ config }) =>
    config.AUTH_CLIENT_CERTIFICATE ? describeCertificate(config.AUTH_CLIENT_CERTIFICATE, Date.now()) : undefined,
};

export function describeCertificate(pem: string, now: number): Finding {
  try {
    // The address is needed only for signing.
    createCertificateAuth(pem, '');
  } catch (cause) {
    return certificate.say('unusable', {
      why: cause instanceof BridgeError ? cause.message : 'AUTH_CLIENT_CERTIFICATE: it cannot be used.',
    });
  }
  const { validFrom, validTo } = new X509Certificate(pem);
  const day = new Date(validTo).toISOString().slice(0, 10);
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
  // The app starts with an expired certificate: only the identity provider refuses it.
  if (Date.parse(validTo) <= now) return certificate.say('over', { day });
  if (Date.parse(validFrom) > now) return certificate.say('early', { time: new Date(validFrom).toISOString() });
  return days < SOON_DAYS ? certificate.say('soon', { day, days }) : certificate.say('good', { day });
}
