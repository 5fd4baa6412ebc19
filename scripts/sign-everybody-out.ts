// `npm run sign-everybody-out`: ends all sign-ins, or those whose tokens are sealed with one key, in the store that the
// configuration names. With Redis the app may run; with SQLite it has to be stopped. Exits with 1 if it failed.
import type { AuditEntry } from '../src/audit/audit-log.ts';
import type { Store } from '../src/backend/store.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { count as inWords } from '../src/doctor/check.ts';
import { PermanentError, UserError } from '../src/errors.ts';
import type { LinkStore } from '../src/identity/account-link.ts';
import { endSignIns, listSignIns } from '../src/identity/every-sign-in.ts';
import { readKeyId } from '../src/identity/token-vault.ts';
import { runCommand, toSentence } from './run-command.ts';
import { InputEndedError, openTerminal } from './setup/terminal.ts';
import { withReader, withStore } from './with-store.ts';

await runCommand({
  usage: `Ends sign-ins: these people are asked to sign in again at their next question.
  npm run sign-everybody-out -- --count      changes nothing, and says how many sign-ins there are
  npm run sign-everybody-out                 ends all of them, once you have typed how many
  npm run sign-everybody-out -- --key <id>   only those whose tokens are sealed with this key of ENCRYPTION_KEYS
      --yes                                  asks nothing
With Redis the app may run. With SQLite stop it first; --count runs beside it.`,
  options: {
    key: { type: 'string' },
    count: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
  failed,
  async run({ key, count, yes }) {
    const config = loadConfig();
    if (count) {
      console.log(describeSignIns(await withReader(config, ({ links }) => countSignIns(links)), key));
      return 0;
    }
    refuseFirstKey(config, key);
    return withStore(config, async (store) => {
      const found = await countSignIns(store.links);
      console.log(describeSignIns(found, key));
      const wanted = key === undefined ? found.all : (found.byKey.get(key) ?? 0);
      if (wanted === 0) return 0;
      if (!yes && !(await confirm(wanted))) {
        console.error('Nothing was ended.');
        return 1;
      }
      console.log(await endLogged(store, { key, wanted }));
      return 0;
    });
  },
});

/** `byKey`: by the id of the key that seals their tokens. */
type SignInCounts = { all: number; byKey: Map<string, number> };

async function countSignIns(links: Pick<LinkStore, 'list'>): Promise<SignInCounts> {
  const counts: SignInCounts = { all: 0, byKey: new Map() };
  for await (const { sealedTokens } of listSignIns(links)) {
    const key = readKeyId(sealedTokens);
    counts.all += 1;
    counts.byKey.set(key, (counts.byKey.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Counts sign-ins, not people: a person has one for questions and one for administration. */
function describeSignIns({ all, byKey }: SignInCounts, key: string | undefined): string {
  const keys = [...byKey].sort().map(([id, number]) => `${number} sealed with key ${id}`);
  const total = all === 0 ? 'There is no sign-in.' : `${inWords(all, 'sign-in')}: ${keys.join(', ')}.`;
  return key === undefined || byKey.has(key) ? total : `${total} None is sealed with key ${key}.`;
}

/** `key`: undefined for all sign-ins. `wanted`: how many were found. */
type Ending = { key: string | undefined; wanted: number };

/** The sentence for a store that cannot be used. */
function failed(code: string): string {
  return `The store cannot be used (${code}). Check its address or path, and who may write there.`;
}

/** Throws a UserError if new sign-ins would be encrypted with the same key. */
function refuseFirstKey({ ENCRYPTION_KEYS: [first] }: Config, key: string | undefined): void {
  if (key === undefined || key !== first?.id) return;
  throw new UserError(
    'key_in_use',
    `Key ${key} still encrypts new sign-ins. Put a new key in front of it in ENCRYPTION_KEYS and restart the app, then run this again.`,
  );
}

/** Whether the person types the number. False without a person at the terminal. */
async function confirm(wanted: number): Promise<boolean> {
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

/** Writes the audit log first: without an entry nothing is ended. Returns the sentences for the operator. */
async function endLogged({ links, audit }: Pick<Store, 'links' | 'audit'>, ending: Ending): Promise<string> {
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
  return `${inWords(ended, 'sign-in was ended', 'sign-ins were ended')}. Audit log: ${seq}:${hash}
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
