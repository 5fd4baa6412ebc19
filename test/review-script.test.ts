// `npm run review`, as a pipeline runs it: a process of its own, against the stand-in of the administrative interface.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Allocation } from '@assistant-bridge/sandbox/admin/model.ts';
import { createAdminState, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AdminWorld, KIM, startAdminWorld } from './end-to-end/admin-world.ts';

const SCRIPT = fileURLToPath(new URL('../scripts/review.ts', import.meta.url));
const EXAMPLE = readFileSync(new URL('../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');
const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const folder = mkdtempSync(join(tmpdir(), 'review-script-'));
const GOVERNANCE_REGISTER = join(folder, 'register.yaml');
let admin: AdminSandbox;
let world: AdminWorld;

beforeAll(async () => {
  admin = await startAdmin({ thresholdList: true });
  world = await startAdminWorld({ admin: { thresholdList: true } }, { ADMIN_USERS: KIM });
  writeFileSync(GOVERNANCE_REGISTER, EXAMPLE);
});
afterEach(() => {
  writeFileSync(GOVERNANCE_REGISTER, EXAMPLE);
  admin.faults.clear();
  for (const [id, allocation] of createAdminState().allocations) admin.state.allocations.set(id, allocation);
});
afterAll(async () => {
  await world.stop();
  await admin.close();
  rmSync(folder, { recursive: true });
});

/** With a token alone: nothing of Slack, and no store. */
function withToken(token = 'sandbox-kim'): Record<string, string> {
  return {
    ADMIN_API_BASE_URL: admin.url,
    ADMIN_AGENT_ID_PROPERTY: 'botId',
    GOVERNANCE_REGISTER,
    REVIEW_TOKEN: token,
    SQLITE_PATH: join(folder, 'none.db'),
  };
}

async function review(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = await runToEnd(process.execPath, [SCRIPT, ...args], { env, cwd: folder });
  return { status, stdout, stderr, json: args.includes('--json') ? JSON.parse(stdout) : undefined };
}

/** What was asked for but reads. */
function listWrites() {
  return admin.ledger.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query'));
}

describe('npm run review', () => {
  it('ends with 0 where everything is as approved, with all of it in one document', async () => {
    const { status, json, stderr } = await review(withToken(), '--json');

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(json).toMatchObject({
      schema: 1,
      list: 'review',
      outcome: 'approved',
      decisions: 'no_store',
      isCompliant: true,
    });
    expect(json.gaps).toEqual([]);
    expect(json.rows).toContainEqual(expect.objectContaining({ kind: 'environment', environment_id: PRODUCTION }));
    expect(json.rows.every(({ status: one }: { status: string }) => /compliant|approved_exception/.test(one))).toBe(
      true,
    );
  });

  it('ends with 0 where the service does not show limits, and all is in order as far as it tells', async () => {
    const untold = await startAdmin();
    const limit = /monthlyLimit: \d+(?: #.*)?(, |\s+)alertAt: 80(?: #.*)?\1stopWhenReached: on/g;
    writeFileSync(GOVERNANCE_REGISTER, EXAMPLE.replaceAll(limit, 'monthlyLimit: none'));
    const bare = { ...withToken(), ADMIN_API_BASE_URL: untold.url };
    const environment = { ...bare, SQLITE_PATH: world.environment.SQLITE_PATH ?? '' };

    const { status, json } = await review(environment, '--json');
    const said = await review(environment);
    const guess = await review(bare, '--json');
    await untold.close();

    expect([status, json.outcome, json.isInOrderAsTold, json.isCompliant]).toEqual([0, 'approved', true, false]);
    expect(json.rows).toContainEqual(expect.objectContaining({ kind: 'agent', status: 'as_far_as_told' }));
    expect([said.status, said.stdout]).toEqual([0, expect.stringContaining('as far as the service tells')]);
    expect([guess.status, guess.json.outcome, guess.json.gaps]).toEqual([2, 'unknown', ['no_store']]);
  });

  it('ends with 2 where the service does not show limits that are approved, and none was set from here', async () => {
    const untold = await startAdmin();

    const { status, json } = await review({ ...withToken(), ADMIN_API_BASE_URL: untold.url }, '--json');
    await untold.close();

    expect([status, json.outcome]).toEqual([2, 'unknown']);
    expect(json.gaps).toContain('unreadable:limit_not_told');
  });

  it('ends with 1 where something is not, and changes nothing', async () => {
    const allocation = admin.state.allocations.get(PRODUCTION) as Allocation;
    const currencyAllocations = allocation.currencyAllocations.map((one) => ({ ...one, allocated: 60_000 }));
    admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations });
    admin.ledger.clear();

    const { status, json } = await review(withToken(), '--json');
    const said = await review(withToken());

    expect([status, said.status, json.outcome, json.notInOrder]).toEqual([1, 1, 'findings', 1]);
    const drift = { status: 'drift', setting: 'allocated', approved: '25000', found: '60000', way: 'looser' };
    expect(json.rows).toContainEqual(expect.objectContaining(drift));
    expect(said.stdout).toBe('1 findings are not in order. With --json you see each of them.\n');
    expect(admin.ledger.requests.length).toBeGreaterThan(5);
    expect(listWrites()).toEqual([]);
  });

  it('ends with 2 where it cannot be told', async () => {
    admin.faults.always('403', { on: 'read-allocation' });

    const { status, json } = await review(withToken(), '--json');

    expect([status, json.outcome, json.isComplete]).toEqual([2, 'unknown', false]);
    expect(json.gaps).toContain('unreadable:admin_forbidden');
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['a token that is refused', () => withToken('nobody'), /admin_unauthorized/],
    ['no interface', () => ({ ...withToken(), ADMIN_API_BASE_URL: '' }), /Set ADMIN_API_BASE_URL/],
    ['no token', () => ({ ...withToken(), REVIEW_TOKEN: '' }), /Set REVIEW_TOKEN, or REVIEW_AS/],
    ['no store', () => ({ ...withToken(), REVIEW_TOKEN: '', REVIEW_AS: 'T0001:U0KIM' }), /There is no store here/],
    ['a register that is not there', () => ({ ...withToken(), GOVERNANCE_REGISTER: 'gone.yaml' }), /cannot be read/],
    ['a wrong value', () => ({ ...withToken(), ADMIN_API_VERSION: 'a b' }), /ADMIN_API_VERSION has to be/],
  ])('ends with 2, and a document, with %s', async (_, environment, words) => {
    const { status, json } = await review(environment(), '--json');

    expect([status, json.outcome]).toEqual([2, 'unknown']);
    expect(JSON.stringify(json)).toMatch(words);
  });

  it('names the lines of a register that is wrong', async () => {
    writeFileSync(GOVERNANCE_REGISTER, EXAMPLE.replace('schema: 1', 'schema: 2'));

    const { status, stderr } = await review(withToken());

    expect(status).toBe(2);
    expect(stderr).toMatch(/^Line \d+: /);
  });

  it('uses the stored sign-in of REVIEW_AS beside the running app, with what was decided in Slack', async () => {
    const { status, json } = await review(
      { ...world.environment, GOVERNANCE_REGISTER, REVIEW_AS: `T0001:${KIM}` },
      '--json',
    );
    const stranger = await review({ ...world.environment, GOVERNANCE_REGISTER, REVIEW_AS: 'T0001:U0ANA' }, '--json');

    expect([status, json.outcome, json.decisions]).toEqual([0, 'approved', 'read']);
    expect([stranger.status, stranger.json.problem]).toEqual([2, expect.stringContaining('has not signed in')]);
  });

  it('says what it is for', async () => {
    const { status, stderr } = await review(withToken(), '--help');

    expect(status).toBe(0);
    expect(stderr).toContain('changes nothing');
  });
});
