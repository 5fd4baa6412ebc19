// Secrets that can be recognised wherever they turn up: those we make, and those that are made on the way.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Browser } from '@assistant-bridge/sandbox/browser.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { createClient } from 'redis';
import type { AccountLink } from '../../src/identity/account-link.ts';
import { parseEncryptionKeys } from '../../src/identity/encryption-keys.ts';
import { createTokenVault, openTokens } from '../../src/identity/token-vault.ts';
import { DOCUMENT } from '../../src/storage/redis/redis-keys.ts';
import type { World } from '../app/world.ts';

export type Canaries = {
  /** Something that nothing else contains. */
  make(kind: string): string;
  add(kind: string, secret: string | undefined): void;
  /** What a browser has seen and keeps: tickets, states, codes, cookies. */
  addBrowser(browser: Browser): void;
  /** What Slack sends along to answer with. */
  addPayload(payload: Json | string): void;
  /** The access and refresh tokens that the store holds now. */
  addTokens(world: World): Promise<void>;
  kinds(): string[];
  /** Those of a kind that the text contains. */
  findIn(text: string, kind: string): string[];
  count(kind: string): number;
};

/** Shorter ones turn up by chance. */
const MIN_LENGTH = 8;

export function createCanaries(): Canaries {
  const secrets = new Map<string, Set<string>>();
  const add = (kind: string, secret: string | undefined) => {
    if (!secret || secret.length < MIN_LENGTH) return;
    secrets.set(kind, (secrets.get(kind) ?? new Set()).add(secret));
  };
  const all = (kind: string) => [...(secrets.get(kind) ?? [])];
  return {
    add,
    make(kind) {
      // As Slack makes its signing secrets: 32 hexadecimal characters.
      const secret = randomBytes(16).toString('hex');
      add(kind, secret);
      return secret;
    },
    addBrowser({ page, cookies }) {
      for (const address of [page.url, ...page.visited]) {
        const { searchParams } = new URL(address);
        for (const name of ['ticket', 'state', 'code', 'nonce']) add(`a ${name}`, searchParams.get(name) ?? undefined);
      }
      for (const { value } of cookies.list()) add('a cookie', value);
    },
    addPayload(payload) {
      if (typeof payload === 'string') return;
      const { response_url: responseUrl, token } = payload;
      if (typeof responseUrl === 'string') add('a response_url', new URL(responseUrl).pathname);
      if (typeof token === 'string') add('the token in a payload', token);
    },
    async addTokens({ environment }) {
      const { ENCRYPTION_KEYS = '', REDIS_URL, SQLITE_PATH = '' } = environment;
      const vault = createTokenVault(parseEncryptionKeys(ENCRYPTION_KEYS));
      const links = REDIS_URL ? await readRedisLinks(REDIS_URL) : readSqliteLinks(SQLITE_PATH);
      for (const link of links) {
        const { accessToken, refreshToken } = openTokens(vault, link) ?? {};
        add('an access token', accessToken);
        add('a refresh token', refreshToken);
        add('sealed tokens', link.sealedTokens);
      }
    },
    kinds: () => [...secrets.keys()],
    findIn: (text, kind) => all(kind).filter((secret) => text.includes(secret)),
    count: (kind) => all(kind).length,
  };
}

function readSqliteLinks(path: string): AccountLink[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
  const rows = database.prepare("SELECT body FROM documents WHERE key LIKE 'link:%'").all();
  database.close();
  return rows.map(({ body }) => JSON.parse(String(body)));
}

async function readRedisLinks(url: string): Promise<AccountLink[]> {
  const client = createClient({ url });
  await client.connect();
  const keys = await client.keys(`${DOCUMENT}link:*`);
  const bodies = await Promise.all(keys.map((key) => client.hGet(key, 'b')));
  client.destroy();
  return bodies.flatMap((body) => (body ? [JSON.parse(body)] : []));
}
