import type { DatabaseSync } from 'node:sqlite';
import type { AccountLink, ClaimStore, LinkStore } from '../../identity/account-link.ts';
import type { InstallationStore, StoredInstallation } from '../../slack/installation.ts';
import { readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

/** A page takes about a millisecond to read. */
const PAGE = 100;

export function createSqliteLinks(database: DatabaseSync, { write }: GroupCommit): LinkStore {
  const get = database.prepare('SELECT body FROM links WHERE team = ? AND user = ? AND purpose = ?');
  const insert = database.prepare(`
    INSERT INTO links (team, user, purpose, workspace, version, body) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const update = database.prepare(`
    UPDATE links SET workspace = ?, version = ?, body = ?
    WHERE team = ? AND user = ? AND purpose = ? AND version = ?`);
  const remove = database.prepare('DELETE FROM links WHERE team = ? AND user = ? AND purpose = ?');
  const removeVersion = database.prepare(
    'DELETE FROM links WHERE team = ? AND user = ? AND purpose = ? AND version = ?',
  );
  const page = database.prepare(`
    SELECT body FROM links WHERE (team, user, purpose) > (?, ?, ?) ORDER BY team, user, purpose LIMIT ${PAGE}`);

  return {
    get: async ({ team, user, purpose }) => {
      const row = get.get(team, user, purpose);
      return row && readRecord<AccountLink>(row.body);
    },
    save: (link, expected) =>
      write(() => {
        const { team, user, purpose, workspace } = link;
        const version = expected + 1;
        const body = JSON.stringify({ ...link, version });
        const { changes } =
          expected === 0
            ? insert.run(team, user, purpose, workspace, version, body)
            : update.run(workspace, version, body, team, user, purpose, expected);
        return changes === 1;
      }),
    delete: ({ team, user, purpose }) => write(() => void remove.run(team, user, purpose)),
    deleteUnchanged: ({ team, user, purpose, version }) =>
      write(() => removeVersion.run(team, user, purpose, version).changes === 1),
    async list(cursor = '  ') {
      const [team = '', user = '', purpose = ''] = cursor.split(' ');
      const links = page.all(team, user, purpose).map(({ body }) => readRecord<AccountLink>(body));
      const last = links.at(-1);
      return { links, next: last && links.length === PAGE ? toCursor(last) : undefined };
    },
  };
}

/** None of its parts contains a space. */
function toCursor({ team, user, purpose }: AccountLink): string {
  return `${team} ${user} ${purpose}`;
}

export function createSqliteOnce(database: DatabaseSync, { write }: GroupCommit, now: () => number): ClaimStore {
  const put = database.prepare('INSERT OR REPLACE INTO once (key, value, expires_at) VALUES (?, ?, ?)');
  const claim = database.prepare('INSERT OR IGNORE INTO once (key, value, expires_at) VALUES (?, ?, ?)');
  const take = database.prepare('DELETE FROM once WHERE key = ? RETURNING value, expires_at');
  const peek = database.prepare('SELECT value FROM once WHERE key = ? AND expires_at > ?');
  const clean = database.prepare('DELETE FROM once WHERE expires_at <= ?');

  return {
    put: (key, value, expiresAt) =>
      write(() => {
        clean.run(now());
        put.run(key, value, expiresAt);
      }),
    claim: (key, value, expiresAt) =>
      write(() => {
        clean.run(now());
        claim.run(key, value, expiresAt);
        return String(peek.get(key, now())?.value ?? value);
      }),
    take: (key) =>
      write(() => {
        const row = take.get(key);
        return row && Number(row.expires_at) > now() ? String(row.value) : undefined;
      }),
    peek: async (key) => {
      const row = peek.get(key, now());
      return row && String(row.value);
    },
  };
}

export function createSqliteInstallations(database: DatabaseSync, { write }: GroupCommit): InstallationStore {
  const get = database.prepare('SELECT body FROM installations WHERE workspace = ?');
  const put = database.prepare('INSERT OR REPLACE INTO installations (workspace, installed_at, body) VALUES (?, ?, ?)');
  const replace = database.prepare(`
    UPDATE installations SET body = ?
    WHERE workspace = ? AND installed_at = ? AND body ->> '$.sealedBotToken' = ?`);
  const remove = database.prepare('DELETE FROM installations WHERE workspace = ? AND installed_at = ?');
  const list = database.prepare('SELECT workspace FROM installations');

  return {
    get: async (workspace) => {
      const row = get.get(workspace);
      return row && readRecord<StoredInstallation>(row.body);
    },
    put: (installation) =>
      write(() => {
        put.run(installation.workspace, installation.installedAt, JSON.stringify(installation));
      }),
    replace: (installation, formerToken) =>
      write(() => {
        const { workspace, installedAt } = installation;
        return replace.run(JSON.stringify(installation), workspace, installedAt, formerToken).changes === 1;
      }),
    remove: (workspace, installedAt) => write(() => remove.run(workspace, installedAt).changes === 1),
    list: async () => list.all().map(({ workspace }) => String(workspace)),
  };
}
