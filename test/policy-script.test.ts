// `npm run policy`, as a pipeline runs it: a process of its own, against the stand-in of the administrative interface.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Allocation } from '@assistant-bridge/sandbox/admin/model.ts';
import { createAdminState, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/backend/sqlite-store.ts';
import type { Store } from '../src/backend/store.ts';
import { ENVIRONMENT } from './a-config.ts';
import { ownFolder } from './own-folder.ts';
import { runApart } from './run-script.ts';

/** A register of an earlier release that says what the stand-in begins with. */
const REGISTER = readFileSync(new URL('governance/policy-documents/register.yaml', import.meta.url), 'utf8').replace(
  /^ {4}# Drift that may stay(?:.*\n)*?\n/m,
  '\n',
);
const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const folder = ownFolder('policy-script');
const FILE = join(folder, 'policy.yaml');
let admin: AdminSandbox;
let databases = 0;

beforeAll(async () => {
  admin = await startAdmin({ thresholdList: true });
  // What the file says nothing about.
  for (const [key, threshold] of admin.state.thresholds) {
    admin.state.thresholds.set(key, { ...threshold, stopResource: false });
  }
});
afterEach(() => {
  admin.faults.clear();
  for (const [id, allocation] of createAdminState().allocations) admin.state.allocations.set(id, allocation);
});
afterAll(async () => {
  await admin.close();
});

/** With a token alone: nothing of Slack, and no store. */
function withToken(changes: Record<string, string> = {}): Record<string, string> {
  return {
    ADMIN_API_BASE_URL: admin.url,
    ADMIN_AGENT_ID_PROPERTY: 'botId',
    REVIEW_TOKEN: 'sandbox-kim',
    SQLITE_PATH: join(folder, 'none.db'),
    ...changes,
  };
}

/** Everything that the app needs, and a database. */
async function withStore(changes: Record<string, string> = {}) {
  const path = join(folder, `${++databases}.db`);
  const open = () => openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
  await (await open()).close();
  const look = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    return work(store).finally(() => store.close());
  };
  return {
    env: withToken({ ...ENVIRONMENT, ADMIN_SCOPE: 'api://admin/.default', SQLITE_PATH: path, ...changes }),
    ...{ look, open, path },
  };
}

const run = (env: Record<string, string>, ...args: string[]) => runApart(['policy.ts', ...args], env, { cwd: folder });

function write(text: string): string {
  writeFileSync(FILE, text);
  return FILE;
}

function allocate(allocated: number): void {
  const allocation = admin.state.allocations.get(PRODUCTION) as Allocation;
  const currencyAllocations = allocation.currencyAllocations.map((one) => ({ ...one, allocated }));
  admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations });
}

/** What was asked for but reads. */
const listWrites = () =>
  admin.ledger.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query'));

describe('npm run policy -- check', () => {
  it('ends with 0 where everything is as the file says, without a store', async () => {
    const { status, out, err } = await run(withToken(), 'check', write(REGISTER));

    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^0 of \d+ settings differ, 0 unknown\.\n$/);
  });

  it('ends with 2 where something differs, says what, and changes nothing', async () => {
    allocate(60_000);
    admin.ledger.clear();
    const said = await run(withToken(), 'check', write(REGISTER));
    const sheet = await run(withToken(), 'check', FILE, '--csv');

    expect([said.status, sheet.status]).toEqual([2, 2]);
    expect(said.out).toMatch(/^1 of \d+ settings differ/);
    expect(sheet.out).toMatch(/^\ufeff?finding,environment,/);
    expect(sheet.out).toMatch(/more,Contoso Production,.*60,?000/);
    expect(listWrites()).toEqual([]);
  });

  it('ends with 1 where that cannot be told', async () => {
    admin.faults.always('403', { on: 'read-allocation' });

    expect((await run(withToken(), 'check', write(REGISTER))).status).toBe(1);
  });

  it.each<[string, Record<string, string>, string[], RegExp]>([
    ['a token that is refused', { REVIEW_TOKEN: 'nobody' }, [FILE], /refused the token/],
    ['no interface', { ADMIN_API_BASE_URL: '' }, [FILE], /Set ADMIN_API_BASE_URL/],
    ['no token', { REVIEW_TOKEN: '' }, [FILE], /Set REVIEW_TOKEN, or REVIEW_AS/],
    ['no store for REVIEW_AS', { REVIEW_TOKEN: '', REVIEW_AS: 'T0001:U0KIM' }, [FILE], /There is no store here/],
    ['neither a store nor a file', {}, [], /Name a file/],
    ['a file that is not there', {}, ['gone.yaml'], /gone\.yaml cannot be read \(ENOENT\)/],
    ['a wrong value', { ADMIN_API_VERSION: 'a b' }, [FILE], /ADMIN_API_VERSION has to be/],
  ])('ends with 1, and says why, with %s', async (_, changes, args, words) => {
    write(REGISTER);
    const { status, err } = await run(withToken(changes), 'check', ...args);

    expect([status, err]).toEqual([1, expect.stringMatching(words)]);
  });

  it('refuses a file in another encoding instead of changing its words', async () => {
    const text = 'schema: 2\nentries:\n  - { workspace: T1, channel: "*", pause: { word: zurück um zwölf } }\n';
    writeFileSync(FILE, text, 'latin1');
    const latin = await run(withToken(), 'check', FILE);
    writeFileSync(FILE, `\ufeff${text}`, 'utf16le');
    const wide = await run(withToken(), 'check', FILE);

    expect([latin.err, wide.err]).toEqual(Array(2).fill(`${FILE} cannot be read (it is no text in UTF-8).\n`));
  });

  it('names the lines of a file that is wrong', async () => {
    const { status, err } = await run(
      withToken(),
      'check',
      write('schema: 2\nentries:\n  - { enviroment: e, stop: on }\n'),
    );

    expect(status).toBe(1);
    expect(err).toMatch(/^Line 3: "enviroment" is not a key here\. Did you mean environment\?/);
  });
});

describe('npm run policy', () => {
  it('imports a register once, exports it as a policy, and plans what a change of that would do', async () => {
    const { env, look } = await withStore();
    const imported = await run(env, 'import', write(REGISTER), '--reason', 'taken over from git');
    const again = await run(env, 'import', FILE, '--reason', 'taken over from git');
    const exported = await run(env, 'export');
    const same = await run(env, 'plan', write(exported.out));
    const edited = await run(env, 'plan', write(exported.out.replace('allocated: 25000', 'allocated: 26000')));
    const checked = await run(env, 'check');

    expect([imported.status, imported.out]).toEqual([2, expect.stringMatching(/^Policy 1: \d+ changes\./)]);
    expect([again.status, again.out]).toEqual([0, 'Policy 1 says all of this already.\n']);
    expect(exported.status).toBe(0);
    expect([same.status, same.out]).toEqual([0, expect.stringContaining('Policy 1: 0 changes.')]);
    expect(edited.status).toBe(2);
    expect(edited.out).toMatch(/credits of .*: .*25,000 credits.* → .*26,000 credits/);
    expect(checked.status).toBe(0);
    const all = await look(({ audit }) => audit.list({ limit: 100 }));
    const entries = all.slice(-2);
    const own = { who: { user: 'operator' }, reason: 'taken over from git', policy: 1, outcome: { kind: 'done' } };
    const set = all.filter(({ what }) => what === 'policy_set');
    const subject = { planId: entries[0]?.subject.planId };
    expect(all.at(-3)).toMatchObject({ ...own, what: 'plan_confirmed', subject, after: { edits: set.length } });
    expect(set).toContainEqual(
      expect.objectContaining({
        after: { setting: 'credits', value: expect.objectContaining({ allocated: 25_000 }) },
        subject: { environmentId: PRODUCTION, currency: 'ServiceMessages', ...subject },
      }),
    );
    expect(imported.out).toContain(`Policy 1: ${set.length} changes`);
    expect(entries).toMatchObject([
      { what: 'policy_imported', policy: 1, outcome: { kind: 'done' } },
      { what: 'policy_imported', who: { user: 'operator' }, policy: 1, reason: 'taken over from git' },
    ]);
    expect(entries[1]).toMatchObject({ outcome: { kind: 'begun' }, subject: entries[0]?.subject });
    const { policy } = await look(({ policy: policies }) => policies.read());
    expect(new Set(Object.values(policy.entries).map(({ standing }) => standing?.why.by))).toEqual(
      new Set(['operator']),
    );
  });

  it('leaves a run that the app ends, where it was killed before the log had what was set', async () => {
    const { env, look, path } = await withStore();
    const killing = new DatabaseSync(path);
    killing.exec(`CREATE TRIGGER kill BEFORE INSERT ON documents WHEN NEW.body LIKE '%plan_confirmed%'
      BEGIN SELECT RAISE(ABORT, 'killed'); END`);
    const killed = await run(env, 'import', write(REGISTER), '--reason', 'taken over from git');
    killing.exec('DROP TRIGGER kill');
    killing.close();

    expect(killed.status).toBe(1);
    const [open, { policy }] = await look((store) => Promise.all([store.runs.listOpen(), store.policy.read()]));
    expect(open).toMatchObject([{ by: { user: 'operator' }, items: 0, policy: policy.revision }]);
    const content = await look(({ runs }) => runs.content(open[0]?.id ?? ''));
    expect(content?.plan.edits).toHaveLength(open[0]?.edits ?? 0);
  });

  it('imports no file of one workspace where that ends all rules of another, as one that was exported in Slack would', async () => {
    const { env } = await withStore();
    const rule = (workspace: string) => `  - { workspace: ${workspace}, channel: C0GENERAL, reply: all }\n`;
    const file = (...rules: string[]) =>
      write(`schema: 2\nentries:${rules.length > 0 ? '' : ' []'}\n${rules.join('')}`);
    const give = (path: string) => run(env, 'import', path, '--reason', 'taken over from git');
    await give(file(rule('T0001'), rule('T0002')));
    const lost = await give(file(rule('T0001')));
    const exported = await run(env, 'export');

    expect([lost.status, lost.err]).toEqual([1, expect.stringContaining('all rules of channels of T0002')]);
    expect(exported.out).toContain('workspace: T0002');
  });

  it('imports nothing without a reason, with mistakes, beside a running app, or that a second one has to approve', async () => {
    const { env, look, open } = await withStore();
    const reason = ['--reason', 'taken over from git'];
    const none = await run(env, 'import', write(REGISTER));
    const store = await open();
    const wrong = await run(env, 'import', write('schema: 2\nentries: 5\n'), ...reason);
    const beside = await run(env, 'import', write(REGISTER), ...reason);
    await store.close();
    await run(env, 'import', FILE, ...reason);
    const more = write((await run(env, 'export')).out.replace('allocated: 25000', 'allocated: 26000'));
    const alone = await run({ ...env, REQUIRE_SECOND_APPROVER: 'yes' }, 'import', more, ...reason);

    expect([none, wrong, beside, alone].map(({ status }) => status)).toEqual([1, 1, 1, 1]);
    expect(none.err).toMatch(/^--reason: Say why/);
    expect(wrong.err).toMatch(/^Line 2: /);
    expect(beside.err).toContain('Stop the app first');
    expect(alone.err).toContain('a second administrator approves it');
    expect((await look(({ policy }) => policy.read())).policy.revision).toBe(1);
  });

  it('prints nothing of a file that the terminal would obey', async () => {
    const { env } = await withStore();
    const over = '{ environment: "e\\u202e", exception: { stop: on, until: 2020-01-01, why: done } }';
    const give = (entry: string) =>
      run(env, 'import', write(`schema: 2\nentries: [${entry}]\n`), '--reason', 'taken over');

    expect((await give(over)).out).toContain('stop of e?: the exception is over');
    expect((await give('{ "a\\x9bc\\u202e": 1 }')).err).not.toMatch(/[\x9b\u202e]/);
  });

  it('says what it is for', async () => {
    expect(await run({}, '--help')).toMatchObject({
      status: 0,
      out: expect.stringContaining('All but import change nothing'),
    });
    for (const args of [['check', 'a', 'b'], ['--jsn']]) {
      expect((await run({}, ...args)).status).toBe(1);
    }
  });
});
