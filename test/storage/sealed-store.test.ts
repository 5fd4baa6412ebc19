import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { sealStore } from '../../src/backend/sealed-store.ts';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { createSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import { toFingerprint } from '../../src/conversation/question.ts';
import type { EncryptionKey } from '../../src/identity/encryption-keys.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import { anOutcome, aQuestion, aTurn } from '../conversation/a-question.ts';
import { ANA, aSchedule, createScheduling } from '../delivery/schedule-world.ts';
import { aLink } from './a-link.ts';
import { beginRun } from './begin-run.ts';

const OLD = { id: 'k1', key: randomBytes(32) };
const NEW = { id: 'k2', key: randomBytes(32) };
const SOON = Date.now() + 60_000;

const SAID = {
  text: 'the words of ana',
  links: ['https://acme.example/plan.docx'],
  unusable: [{ name: 'photo.png', reason: 'upload' as const }],
  uploads: [{ id: 'F1', name: 'notes.txt' }],
};
const ANSWER = anOutcome({
  text: 'the words of the service',
  sources: [{ number: 1, title: 'The plan', url: 'https://acme.example/plan.docx' }],
});
const TURN = aTurn({ question: aQuestion(SAID) });

let database: DatabaseSync;
let unread: string[];

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  prepareSchema(database);
  unread = [];
});

function openWith(...keys: EncryptionKey[]): Store {
  const store = createSqliteStore(database, Date.now);
  return sealStore(store, createTokenVault(keys), (kind, error) => {
    unread.push(`${kind}: ${(error as { code?: string }).code}`);
  });
}

/** All bytes of the database. */
const bytes = () => Buffer.from(database.serialize()).toString('latin1');

describe('a sealed store', () => {
  it('keeps no word of a scheduled question in the open, and opens it with any of its keys', async () => {
    const words = { text: SAID.text, webSearch: true, links: SAID.links, unusable: [] };
    const scheduling = (...keys: EncryptionKey[]) => createScheduling(openWith(...keys), Date.now);
    await scheduling(OLD).add(aSchedule({ content: words }));

    expect(bytes()).not.toContain(SAID.text);
    expect(await scheduling(NEW, OLD).list(ANA)).toMatchObject([{ content: words }]);
    expect(await scheduling(NEW).list(ANA)).toMatchObject([{ content: { text: '' } }]);
    expect(unread).toEqual(['schedule: token_key_unknown']);

    // Whatever is written keeps the words of the others, and what can be opened gets the newest key.
    await scheduling(NEW).add(aSchedule({ id: 'V2', content: words }));
    await scheduling(NEW, OLD).add(aSchedule({ id: 'V3', content: words }));
    const [first, second, third] = await scheduling(NEW).list(ANA);
    expect([first, second, third]).toMatchObject([{ content: words }, { content: words }, { content: words }]);
    expect(bytes()).not.toContain(SAID.text);
  });

  it('gives back a turn as it was, at every stage, and keeps no word of it in the open', async () => {
    const { turns } = openWith(OLD);
    await turns.accept(TURN);
    expect(await turns.head(TURN.lane)).toEqual(TURN);
    const run = await beginRun(turns, TURN.id);
    if (!run) throw new Error('there is no turn');
    const answered = { ...run, stage: 'answered' as const, outcome: ANSWER, details: { timeZone: 'Europe/Berlin' } };
    await turns.save(answered);

    expect(await turns.get(TURN.id)).toEqual(answered);
    expect(bytes()).toContain('answered');
    expect(bytes()).not.toMatch(/the words|plan|photo|notes|Berlin/);
  });

  it('keeps no word of what a waiting question is to say instead', async () => {
    const { turns } = openWith(OLD);
    await turns.accept(aTurn());
    const said = { ...SAID, webSearch: false };

    expect(await turns.revise(aTurn().id, said)).toBe(true);

    expect((await turns.get(aTurn().id))?.question).toEqual(aQuestion(said));
    expect(bytes()).not.toMatch(/the words|plan|photo|notes/);
  });

  it('keeps of a turn that is done only the details, and those sealed', async () => {
    const { turns } = openWith(OLD);
    const details = { timeZone: 'Europe/Berlin' };
    await turns.accept(TURN);
    const question = { ...TURN.question, text: '', links: [], unusable: [], uploads: undefined };
    await turns.save({ ...TURN, stage: 'done', result: 'answer', question, details });

    expect(await turns.get(TURN.id)).toEqual({ ...TURN, stage: 'done', result: 'answer', question, details });
    expect(bytes()).not.toContain('Berlin');
    const { sealed = '' } = (await createSqliteStore(database, Date.now).turns.get(TURN.id)) ?? {};
    expect(JSON.parse(createTokenVault([OLD]).open(sealed, `turn:${TURN.id}`))).toEqual({ details });
  });

  it('keeps what a message said that somebody else may have written so that nobody can guess it, and checks it with an old key', async () => {
    const { turns } = openWith(OLD);
    const fingerprint = toFingerprint(SAID);
    const question = { ...TURN.question, text: '', links: [], unusable: [], uploads: undefined, fingerprint };
    const done = { ...TURN, stage: 'done' as const, result: 'answer', question };
    await turns.accept({ ...TURN, question: { ...TURN.question, fingerprint } });
    expect(bytes()).not.toContain(fingerprint);
    await turns.save(done);

    expect(bytes()).toContain('"done"');
    expect(bytes()).not.toContain(fingerprint);
    expect(await openWith(NEW, OLD).turns.get(TURN.id)).toEqual(done);
    expect((await openWith(NEW).turns.get(TURN.id))?.question).not.toHaveProperty('fingerprint');
  });

  it('keeps whose account a sign-in is, and what is to be used once, in the open nowhere', async () => {
    const { links, once } = openWith(OLD);
    const link = aLink({ accountName: 'Ana Alvarez', account: 'issuer|oid|her oid' });
    await links.save(link, 0);
    await once.put('approval:1', 'her reason', SOON);
    const held = await once.claim('prompt', 'her turn', SOON);

    expect(await links.get(link)).toEqual({ ...link, version: expect.any(Number) });
    expect((await links.list()).links).toEqual([{ ...link, version: expect.any(Number) }]);
    expect([await once.peek('approval:1'), held, await once.claim('prompt', 'mine', SOON)]).toEqual([
      'her reason',
      'her turn',
      'her turn',
    ]);
    expect(await once.take('approval:1')).toBe('her reason');
    expect(bytes()).not.toMatch(/Alvarez|oid|her reason|her turn/);
  });

  it('reads what an older key has sealed, and seals with the new one', async () => {
    await openWith(OLD).turns.accept(TURN);

    const { turns } = openWith(NEW, OLD);
    expect(await turns.get(TURN.id)).toEqual(TURN);
    await turns.save({ ...TURN, stage: 'waiting' });

    expect(await openWith(NEW).turns.get(TURN.id)).toMatchObject({ question: { text: SAID.text } });
    expect(unread).toEqual([]);
  });

  it('gives what no key opens without its words, tells so, and keeps it for the key to come back', async () => {
    await openWith(OLD).turns.accept(TURN);
    await openWith(OLD).links.save(aLink({ accountName: 'Ana Alvarez' }), 0);
    await openWith(OLD).once.put('approval:1', 'her reason', SOON);

    const { turns, links, once, personal } = openWith(NEW);
    const [turn] = await turns.inLane(TURN.lane);
    const { version = 0, ...link } = (await links.get(aLink())) ?? aLink();
    await turns.save({ ...(turn ?? TURN), stage: 'waiting' });
    await links.save(link, version);

    expect(turn?.question.text).toBe('');
    expect(await personal.turns(TURN.question.asker)).toHaveLength(1);
    expect(link).not.toHaveProperty('accountName');
    expect(await once.peek('approval:1')).toBeUndefined();
    expect(await once.claim('approval:1', 'mine', SOON)).not.toBe('mine');
    expect(new Set(unread)).toEqual(
      new Set(['turn: token_key_unknown', 'link: token_key_unknown', 'value: token_key_unknown']),
    );
    const again = openWith(NEW, OLD);
    expect(await again.turns.get(TURN.id)).toEqual({ ...TURN, stage: 'waiting' });
    expect(await again.links.get(aLink())).toMatchObject({ accountName: 'Ana Alvarez' });
  });

  it('opens no words in another record than their own', async () => {
    const { turns } = openWith(OLD);
    await turns.accept(TURN);
    await turns.accept(aTurn({ id: 'other' }));
    const { body } = database.prepare('SELECT body FROM turns WHERE id = ?').get(TURN.id) ?? {};
    database
      .prepare('UPDATE turns SET body = ? WHERE id = ?')
      .run(String(body).replace(`"id":"${TURN.id}"`, '"id":"other"'), 'other');

    expect((await turns.get('other'))?.question.text).toBe('');
    expect(unread).toEqual(['turn: token_tampered']);
  });
});
