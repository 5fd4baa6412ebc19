import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** Far more than the lines and the reasons that may come of them. */
const REQUESTS = 200;

/** A line of the table in docs/security.md: what stands in code font is a path, a key or a message. */
type Row = { paths: string[]; stores: string[]; logs: string[] };

function readTable(): Row[] {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Paths that anybody can reach');
  const lines = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return lines.map((line) => {
    const [, path = '', stores = '', logs = ''] = line.split('|').map((cell) => cell.trim());
    const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const paths = path === 'any other path' ? ['other'] : names(path).filter((name) => name.startsWith('/'));
    return { paths, stores: names(stores), logs: names(logs) };
  });
}

/** What the app keeps and says by itself after its start, whoever asks for what. */
const OWN_KEYS = /^(?:(?:queue|lease|lock|links|usage|leavers):|(?:arrivals|expiring)$)/;
const OWN_LINES = ['sign-in looked at'];

/** Where a path of the table is asked. */
const EXAMPLES: Record<string, string> = { other: '/nothing/here', '/link/': '/link/x' };

const SECRET = 'A'.repeat(43);
const NOW = () => String(Math.floor(Date.now() / 1000));

type Sent = RequestOptions & { query?: string; body?: string };

/** What anybody may send: each of them, again and again. */
const KINDS: (() => Sent)[] = [
  () => ({}),
  () => ({ query: `?ticket=${SECRET}&draft=${SECRET}&state=${SECRET}&code=c` }),
  () => ({ query: `?state=${SECRET}&code=c`, headers: { cookie: `link=${SECRET}; install=${SECRET}` } }),
  () => ({ query: `?error=e${'abcdefghij'[Math.floor(Math.random() * 10)]}&state=${SECRET}` }),
  () => ({ method: 'HEAD' }),
  () => ({ method: 'DELETE', query: '?x=1' }),
  () => ({ method: 'POST', body: 'x'.repeat(20_000) }),
  () => ({ method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }),
  () => ({
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: `ticket=${SECRET}&draft=${SECRET}&undo=${SECRET}&decision=connect`,
  }),
  () => ({
    method: 'POST',
    headers: { 'x-slack-request-timestamp': NOW(), 'x-slack-signature': `v0=${'a'.repeat(64)}` },
    body: '{"type":"event_callback"}',
  }),
  () => ({
    method: 'POST',
    headers: { 'x-slack-request-timestamp': '1000', 'x-slack-signature': `v0=${'a'.repeat(64)}` },
    body: '{"type":"event_callback"}',
  }),
];

/** What the app has stored: the names of keys, and of tables with their number of rows. */
const readStored = ({ redis, environment }: LiveWorld) =>
  redis ? readRedis(redis.url) : readSqlite(environment.SQLITE_PATH ?? '');

async function readRedis(url: string): Promise<string[]> {
  const client = await createClient({ url }).connect();
  const keys = await client.keys('bridge:*');
  await client.close();
  return keys.map((key) => key.replace(/^bridge:(doc:(once:)?)?/, ''));
}

function readSqlite(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const counts = tables
    .map(({ name }) => String(name))
    .filter((name) => !['documents', 'entries', 'sqlite_sequence'].includes(name))
    .map((name) => `${name}: ${database.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows} rows`);
  const keys = database.prepare('SELECT key FROM documents').all();
  database.close();
  return [...counts, ...keys.map(({ key }) => String(key).replace(/^once:/, ''))];
}

/** Every line of `/metrics` that is a series. */
async function readSeries({ figures }: LiveWorld): Promise<string[]> {
  return (await figures()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

async function send(url: string, agent: Agent): Promise<void> {
  for (let count = 0; count < REQUESTS; ) {
    const round = KINDS.slice(0, REQUESTS - count).map(async (kind) => {
      const { query = '', body, ...options } = kind();
      await new Promise<void>((resolve) => {
        const sent = request(`${url}${query}`, { ...options, agent }, (response) => {
          response.resume().on('close', resolve);
        });
        // Refused before its body was read.
        sent.on('error', () => resolve());
        sent.end(body);
      });
    });
    await Promise.all(round);
    count += round.length;
  }
}

describe.each(['sqlite', 'redis'] as const)('on %s', (store) => {
  it('hundreds of requests to each path store and log what docs/security.md says, and no more', async () => {
    const table = readTable();
    const world = await openLiveWorld({
      ...{ redis: store === 'redis', hasFigures: true, hasSlackbotDoor: true },
      environment: { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001' },
    });
    const opsUrl = `http://127.0.0.1:${world.environment.OPS_PORT}`;
    const before = await readSeries(world);
    const served = before.flatMap(
      (line) => /^assistant_bridge_http_requests_total\{path="([^"]+)"/.exec(line)?.[1] ?? [],
    );
    expect(table.flatMap(({ paths }) => paths).sort()).toEqual([...new Set(served), '/metrics'].sort());

    const agent = new Agent({ keepAlive: true, maxSockets: KINDS.length });
    // The app may still be at work for requests that were broken off, so a line may arrive beside those of a later path.
    const earlier: string[] = [];
    for (const { paths, stores, logs } of table) {
      for (const path of paths) {
        const keysBefore = await readStored(world);
        const linesBefore = world.app.lines.length;

        await send(`${path === '/metrics' ? opsUrl : world.publicUrl}${EXAMPLES[path] ?? path}`, agent);

        const keys = (await readStored(world)).filter((key) => !keysBefore.includes(key));
        expect(keys.filter((key) => !stores.includes(key) && !OWN_KEYS.test(key))).toEqual([]);
        const lines = world.app.lines.slice(linesBefore).map((line) => JSON.parse(line));
        expect(lines.filter(({ msg }) => ![...logs, ...earlier, ...OWN_LINES].includes(msg))).toEqual([]);
        earlier.push(...logs);
        // Eight reasons at most, and a minute may end meanwhile.
        expect(lines.length).toBeLessThan(20);
      }
    }
    agent.destroy();

    // Paths by classes of status, reasons of refusals, and how sign-ins end: of these there are so many and no more.
    expect((await readSeries(world)).length - before.length).toBeLessThan(80);
  });
});
