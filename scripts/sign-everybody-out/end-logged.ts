import { existsSync } from 'node:fs';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import type { Config } from '../../src/config.ts';
import { count } from '../../src/doctor/finding.ts';
import { codeOf, PermanentError, UserError } from '../../src/errors.ts';
import type { AuditEntry } from '../../src/governance/audit/audit-log.ts';
import { endSignIns } from '../../src/identity/every-sign-in.ts';
import { toSentence } from '../run-command.ts';
import { InputEndedError, openTerminal } from '../setup/terminal.ts';

/** `key`: none for all sign-ins. `wanted`: how many were found. */
type Ending = { key: string | undefined; wanted: number };

/** What to say of a store that cannot be used. */
export const failed = (code: string) =>
  `The store cannot be used (${code}). Check its address or path, and who may write there.`;

/** Throws a UserError if the tokens of whoever signs in again would be sealed with the same key. */
export function refuseFirstKey({ ENCRYPTION_KEYS: [first] }: Config, key: string | undefined): void {
  if (key === undefined || key !== first?.id) return;
  throw new UserError(
    'key_in_use',
    `Key ${key} still seals what comes. Put a new key in front of it in ENCRYPTION_KEYS and restart the app, then run this again.`,
  );
}

/** The store of the app, to be written. Throws a BridgeError with a sentence where it cannot be. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openStore({ REDIS_URL: url, SQLITE_PATH: path, AUDIT_KEY: keys }: Config): Promise<Store> {
  const options = { audit: { keys }, now: Date.now };
  if (url) return openRedisStore({ url, ...options });
  if (!existsSync(path)) throw new UserError('no_store', `There is no database ${path} (SQLITE_PATH).`);
  return openSqliteStore({ path, lockWaitMs: 0, ...options }).catch((cause: unknown) => {
    if (codeOf(cause) !== 'store_in_use') throw cause;
    throw new UserError('app_runs', `The app uses ${path} (SQLITE_PATH). Stop the app first, then run this again.`);
  });
}

/** Whether the number is typed. Without anybody who could, it is not. */
export async function confirm(wanted: number): Promise<boolean> {
  const terminal = openTerminal();
  try {
    return (await terminal.ask(`Type ${wanted} to end them: `)) === String(wanted);
  } catch (error) {
    if (error instanceof InputEndedError) return false;
    throw error;
  } finally {
    terminal.close();
  }
}

/** Logs it first: what cannot be logged is not done. Returns what to tell the operator. */
export async function endLogged({ links, audit }: Pick<Store, 'links' | 'audit'>, ending: Ending): Promise<string> {
  const { seq, hash } = await audit.append(toEntry(ending)).catch((cause: unknown) => {
    const why = `Nothing was ended, because the audit log cannot be written: ${toSentence(cause, failed)}`;
    throw new PermanentError('not_logged', `${why}. Run this with the environment of the app.`);
  });
  const ended = await endSignIns(links, { keyId: ending.key, now: Date.now }).catch((cause: unknown) => {
    throw new PermanentError(
      'not_all_ended',
      `${toSentence(cause, failed)} Not all were ended: run this again for the rest.`,
    );
  });
  return `${count(ended, 'sign-in was ended', 'sign-ins were ended')}. Audit log: ${seq}:${hash}
Their refresh tokens still work at the identity provider until you revoke them there.`;
}

function toEntry({ key, wanted }: Ending): AuditEntry {
  return {
    ...{ schema: 1, at: Date.now(), what: 'sign_ins_ended', who: { user: 'operator' }, team: '', workspace: '' },
    subject: {},
    after: { signIns: wanted, key },
    outcome: { kind: 'done' },
    requestIds: [],
  };
}
