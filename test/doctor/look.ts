// One check of the doctor, and which of its sentences were seen.
import { afterAll, afterEach } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Check, type Found, type Sight, toList } from '../../src/doctor/check.ts';
import { lookAt } from '../../src/doctor/examine.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { type Loopback, listen } from '../http/loopback.ts';

/** What a check goes by, beside the configuration; by default nothing runs here, and there is no store. */
export type Beside = Partial<Pick<Sight, 'stage' | 'http' | 'aheadMs'>> & {
  app?: Awaited<ReturnType<Sight['app']>>;
  store?: Awaited<ReturnType<Sight['store']>>;
};

const NOBODY = { status: 0, word: undefined };

/** Servers that end after each test, and a look that notes what it sees. */
export function startLooking() {
  const http = createHttpClient();
  const servers: Loopback[] = [];
  const seen: string[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
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
      servers.push(server);
      return server.url;
    },
    async look(check: Check, config: Config, { app = nothing, store = noStore, ...beside }: Beside = {}) {
      const seen = { app: async () => app, store: async () => store, aheadMs: new Map(), ...beside };
      return note(await lookAt(check, { config, http, stage: 'running', ...seen }));
    },
    /** The sentences of a check that no test has seen so far. */
    findUnseen({ words }: Pick<Check, 'words'>): string[] {
      return Object.entries(words).flatMap(([word, text]) => {
        const sentence = text
          .slice(2)
          .split(/\{\w+\}/)
          .map(RegExp.escape)
          .join('[^]*');
        return seen.some((one) => new RegExp(`^${sentence}$`).test(one)) ? [] : [word];
      });
    },
  };
}
