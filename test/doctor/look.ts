// One check of the doctor, and which of its sentences were seen.
import { generateKeyPairSync } from 'node:crypto';
import { buildSelfSignedCertificate } from '@assistant-bridge/sandbox/certificates.ts';
import { afterAll, onTestFinished } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Check, type Finding, type Found, type Sight, toList } from '../../src/doctor/check.ts';
import { lookAt } from '../../src/doctor/examine.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { listen } from '../http/loopback.ts';

/** What a check goes by, beside the configuration; by default nothing runs here, and there is no store. */
export type Beside = Partial<Pick<Sight, 'stage' | 'http' | 'aheadMs'>> & {
  app?: Awaited<ReturnType<Sight['app']>>;
  store?: Awaited<ReturnType<Sight['store']>>;
};

/** Each finding as one text: its level and its sentence. */
export function say(found: readonly Finding[]): string[] {
  return found.map(({ level, sentence }) => `${level}: ${sentence}`);
}

/** A private key and its certificate, which is good for a year from now. */
export function aCertificate(): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const raw = buildSelfSignedCertificate(privateKey, publicKey, 'bridge').toString('base64');
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' });
  return `${key}-----BEGIN CERTIFICATE-----\n${raw.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

/** The names of these sentences in the words of a check. */
export function nameOf({ words }: Pick<Check, 'words'>, found: readonly Finding[]): string[] {
  // Of several that fit the one that says most: a value may stand for any text.
  const byLength = Object.entries(words).toSorted(([, one], [, other]) => other.length - one.length);
  return found.map(({ sentence }) => byLength.find(([, text]) => toPattern(text).test(sentence))?.[0] ?? sentence);
}

/** The sentences of a check that are not among these. */
export function findUnsaid({ words }: Pick<Check, 'words'>, said: readonly string[]): string[] {
  return Object.entries(words).flatMap(([word, text]) => (said.some((one) => toPattern(text).test(one)) ? [] : [word]));
}

function toPattern(text: string): RegExp {
  const fixed = text
    .slice(2)
    .split(/\{\w+\}/)
    .map(RegExp.escape);
  return new RegExp(`^${fixed.join('[^]*')}$`);
}

const NOBODY = { status: 0, word: undefined };

/** Servers that end after each test, and a look that notes what it sees. */
export function startLooking() {
  const http = createHttpClient();
  const seen: string[] = [];
  afterAll(() => http.close());
  /** Findings that were made without a whole look. */
  function note(found: Found): Finding[] {
    const findings = toList(found);
    seen.push(...findings.map(({ sentence }) => sentence));
    return findings;
  }
  const nothing = { ready: NOBODY, health: NOBODY, isReady: false };
  const noStore = { isNew: false, findings: [] };
  return {
    http,
    note,
    async listen(...handler: Parameters<typeof listen>): Promise<string> {
      const server = await listen(...handler);
      onTestFinished(server.close);
      return server.url;
    },
    async look(check: Check, config: Config, { app = nothing, store = noStore, ...beside }: Beside = {}) {
      const seen = { app: async () => app, store: async () => store, aheadMs: new Map(), ...beside };
      return note(await lookAt(check, { config, http, stage: 'running', ...seen }));
    },
    /** The sentences of a check that no test has seen so far. */
    findUnseen: (check: Pick<Check, 'words'>) => findUnsaid(check, seen),
  };
}
