import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNTS } from '@assistant-bridge/sandbox/sandbox.ts';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrompt, signIn } from '../app/sign-in.ts';
import { createCanaries } from './canaries.ts';
import { shareLiveWorld } from './live-world.ts';

const ZONES = { U0ANA: 'Antarctica/DumontDUrville', U0BEN: 'America/Rankin_Inlet', U0KIM: 'Pacific/Bougainville' };
const PEOPLE = ['U0ANA', 'U0BEN', 'U0KIM'] as const;
const QUESTIONS = 20;
const KINDS = ['a question', 'an answer', 'a fact'];

describe.each(['SQLite', 'Redis'])('the files and backups of %s', (backend) => {
  const canaries = createCanaries();
  const questions = Array.from({ length: QUESTIONS }, () => canaries.make('a question'));
  const answers = Array.from({ length: QUESTIONS }, () => canaries.make('an answer'));
  const folder = mkdtempSync(join(tmpdir(), 'kept-words-'));
  let answered = 0;
  afterAll(() => rmSync(folder, { recursive: true }));
  const world = shareLiveWorld({
    signedIn: [],
    // Uncompressed, so that they can be searched.
    redis: backend === 'Redis' && { dir: folder, rdbcompression: 'no' },
    assistant: { answer: () => `It is ${answers[answered++ % QUESTIONS]}.` },
    environment: { SQLITE_PATH: join(folder, 'bridge.db') },
  });
  beforeAll(() => PEOPLE.forEach(addFacts));

  /** Six of each, and two of the files that they name: twenty. */
  function addFacts(user: keyof typeof ZONES): void {
    const { name = '', preferredUsername, oid } = world.identityProvider.people.get(ACCOUNTS[user]) ?? {};
    const facts = [name, preferredUsername, oid, `${ACCOUNTS[user]}@acme.example`, ZONES[user]];
    for (const fact of facts) canaries.add('a fact', fact);
    world.slack.workspace.changeUser(user, { tz: ZONES[user], realName: `Known as ${canaries.make('a fact')}` });
  }

  const read = () =>
    listFiles(folder)
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n');
  const find = (text: string) => KINDS.flatMap((kind) => canaries.findIn(text, kind));

  const ask = (user: string, words: string) => world.ask(words, { user, channel: world.slack.as(user).dm });

  it('show no word of a question that waits for a sign-in', async () => {
    for (const [index, user] of PEOPLE.entries()) {
      const link = `https://acme.sharepoint.example/${canaries.make('a fact')}.docx`;
      await ask(user, `${questions[index]} ${link}`);
      await findPrompt(world, user);
    }

    const text = read();

    expect(text.includes('U0ANA')).toBe(true);
    expect(text.includes('parked')).toBe(true);
    expect(find(text)).toEqual([]);
  });

  it('show no word of questions, answers and people once all turns are done', async () => {
    for (const user of PEOPLE) await signIn(world, user);
    for (const [index, words] of questions.entries()) {
      if (index >= PEOPLE.length) await ask(PEOPLE[index % PEOPLE.length] ?? 'U0ANA', words);
    }
    await world.slack.until(() => world.logged('"result":"answer"').length >= QUESTIONS, { what: 'all answers' });

    const text = read();

    expect(canaries.count('a question') + canaries.count('an answer')).toBe(2 * QUESTIONS);
    expect(canaries.count('a fact')).toBeGreaterThanOrEqual(20);
    expect(
      world.assistant.ledger.chats().filter((chat) => questions.some((one) => chat.text?.includes(one))),
    ).toHaveLength(QUESTIONS);
    expect(text.includes('U0KIM')).toBe(true);
    expect(find(text)).toEqual([]);
  });

  it('have nothing left of somebody who has deleted their data', async () => {
    const ben = world.slack.as('U0BEN');
    const { reply } = await ben.command('/assistant', 'privacy', 'C0GENERAL');
    if (!reply) throw new Error('no answer');
    await ben.click(reply, 'Delete my data');
    await ben.submit(await world.findWindow('This is deleted', 'U0BEN'));
    await world.findWindow('Done.', 'U0BEN');
    // What is deleted is in the append-only file of Redis until it is rewritten.
    if (world.redis) await rewrite(world.redis.url);

    const left = listFiles(folder).flatMap((file) => {
      const text = readFileSync(file, 'latin1');
      return [...text.matchAll(/[ -~]{0,60}U0BEN[ -~]{0,60}/g)].map(([found]) => found);
    });
    expect(left).toEqual([]);
  });

  it('show none after a clean stop', async () => {
    await world.app.kill('SIGTERM');
    const wal = join(folder, 'bridge.db-wal');

    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
    expect(read().includes('U0KIM')).toBe(true);
    expect(find(read())).toEqual([]);
  });
});

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function rewrite(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  await client.bgRewriteAof();
  await expect
    .poll(async () => client.info('persistence'))
    .toMatch(/aof_rewrite_in_progress:0[\s\S]*aof_rewrite_scheduled:0/);
  client.destroy();
}
