// Many classifications with one confirmation: each is recorded once, and what stands in the way is named.
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import type { ApprovedLimit } from '../../../src/governance/register/register.ts';
import {
  type ClassifyManyPorts,
  carryOutClassifications,
  KEPT_AS,
} from '../../../src/governance/review-actions/carry-out-classifications.ts';
import {
  type ClassificationPlan,
  readClassifyMany,
} from '../../../src/governance/review-actions/classify-many-views.ts';
import type { Submitted } from '../../../src/governance/review-actions/review-action.ts';
import { readTicks } from '../../../src/governance/review-actions/settings-form.ts';
import { createAllowance } from '../../../src/governance/shell/allowance.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { keep } from '../../../src/governance/shell/modal-state.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { aClassification } from '../register/register-samples.ts';
import { aRegister } from '../review/review-world.ts';
import { NOW } from '../shell/samples.ts';

const REASON = { reason: 'Agreed with finance' };
const LIMIT: ApprovedLimit = { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'off' };

/** `hash`: of the register's file now. `isGone`: whether the store fails for this environment. */
async function aWorld({ hash = 'hash-1', gone = '' } = {}) {
  const { overlay, audit, once } = createMemoryStore(() => NOW);
  const register = aRegister({ environments: [] });
  const quiet = () => undefined;
  const stopping = new AbortController();
  const ports = {
    ...{ approvals: once, audit, exclusively: createExclusively(), now: () => NOW, stopping: stopping.signal },
    overlay: {
      list: overlay.list,
      async add(record: Parameters<typeof overlay.add>[0]) {
        if (record.environmentId === gone) throw new StoreUnavailableError('gone');
        return overlay.add(record);
      },
    },
    readRegister: async () => ({ text: '', read: { register, hash } }),
    allowance: createAllowance(createMemoryBuckets(() => 0)),
    adminAccount: async () => undefined,
    signInVariant: 'page',
    log: { info: quiet, warn: quiet, error: quiet },
  } as unknown as ClassifyManyPorts;
  const items = ['env-1', 'env-2', 'env-3'].map((environmentId) => {
    return { id: `of-${environmentId}`, environmentId, name: `The ${environmentId}`, allocations: 'none' as const };
  });
  const plan: ClassificationPlan = {
    ...{ classification: 'funded-production', items, leftOut: [], defaults: undefined },
    ...{ unnamedAgents: LIMIT, registerHash: 'hash-1' },
  };
  const id = await keep(KEPT_AS, plan, ports);
  const said: Content[] = [];
  const problems: string[] = [];
  const shown: string[] = [];
  const submitted = {
    ...{ caller: { team: 'T1', workspace: 'T1', user: 'U1' }, state: { id } },
    say: async (content: Content) => said.push(content) > 0,
    modal: {
      show: async (view: object) => void shown.push(readTexts(view)),
      showProblem: async (problem: string) => void problems.push(problem),
    },
  } as unknown as Submitted;
  const confirm = () => carryOutClassifications(submitted, REASON, ports);
  return { confirm, overlay, stopping, ports, said, shown, problems };
}

describe('classifications that are confirmed', () => {
  it('are records of the overlay, each with what it approves', async () => {
    const { confirm, overlay, said } = await aWorld();

    await confirm();

    expect(await overlay.list()).toMatchObject(
      ['env-1', 'env-2', 'env-3'].map((environmentId) => {
        return { environmentId, allocations: 'none', unnamedAgents: LIMIT, ...REASON };
      }),
    );
    expect(said.map(({ text }) => text)).toEqual([
      ':white_check_mark: *Classified*: 3 of 3 environments as funded production.',
    ]);
  });

  it('are recorded and told once where they are confirmed twice', async () => {
    const { confirm, overlay, said, shown } = await aWorld();

    await Promise.all([confirm(), confirm()]);

    expect(await overlay.list()).toHaveLength(3);
    expect(said).toHaveLength(1);
    expect(shown.at(-1)).toContain('3 of 3 environments');
  });

  it('leave what somebody else has decided meanwhile, and name it', async () => {
    const { confirm, overlay, said } = await aWorld();
    await overlay.add(aClassification({ id: 'other', environmentId: 'ENV-2', allocations: 'none' }));

    await confirm();

    const records = (await overlay.list()).filter(({ id }) => id !== 'other');
    expect(records.map(({ environmentId }) => environmentId)).toEqual(['env-1', 'env-3']);
    expect(said[0]?.text).toContain('2 of 3 environments');
    expect(readTexts(said[0] ?? {})).toContain('The env-2: The register names this environment by now');
  });

  it('are not recorded beside another register than was reviewed', async () => {
    const { confirm, overlay, said } = await aWorld({ hash: 'hash-2' });

    await confirm();

    expect(await overlay.list()).toEqual([]);
    expect(readTexts(said[0] ?? {})).toContain("The register's file was changed since this review");
  });

  it('say how far they came where the store fails, and the same confirmation goes on', async () => {
    const { confirm, overlay, said, ports } = await aWorld({ gone: 'env-2' });
    await confirm();
    ports.overlay.add = overlay.add;

    await confirm();

    expect(said[0]?.text).toContain('1 of 3 environments');
    expect(readTexts(said[0] ?? {})).toContain('1 were not tried');
    expect(said[1]?.text).toContain('3 of 3 environments');
    expect(await overlay.list()).toHaveLength(3);
  });

  it('are left where this app stops', async () => {
    const { confirm, overlay, said, stopping } = await aWorld();
    stopping.abort();

    await confirm();

    expect(await overlay.list()).toEqual([]);
    expect(readTexts(said[0] ?? {})).toContain('3 were not tried');
  });
});

const choose = (option: string) => ({ value: { selected_option: { value: option } } });
const list = (...values: string[]) => ({ value: { selected_options: values.map((value) => ({ value })) } });

describe('the form for many', () => {
  it('takes what is chosen in all its menus', () => {
    const values = {
      ...{ which: choose('all_but'), environments_0: list('1', '2'), environments_1: list('100') },
      ...{ classification: choose('funded-production'), approved_credits: choose('found') },
    };

    expect(readClassifyMany(values)).toEqual({
      answer: {
        ...{ which: 'all_but', chosen: [1, 2, 100], classification: 'funded-production' },
        ...{ credits: { source: 'found' }, unnamedAgents: undefined },
      },
    });
  });

  it.each([
    ['82.5', 82.5],
    ['3,000,000,000', 3e9],
  ])('takes the limit %s, as the contract does', (typed, monthlyLimit) => {
    const values = {
      ...{ which: choose('all'), classification: choose('maker-development'), approved_credits: choose('found') },
      agent_limit: { value: { type: 'plain_text_input', value: typed } },
    };

    expect(readClassifyMany(values)).toMatchObject({ answer: { unnamedAgents: { monthlyLimit, alertAt: 80 } } });
  });

  it('says at its fields what is missing', () => {
    const values = { which: choose('only'), environments_0: list(), approved_credits: choose('stated') };

    expect(readClassifyMany(values)).toEqual({
      errors: {
        environments_0: 'Choose one of them at least.',
        classification: 'Choose what these environments are.',
        credits: expect.stringContaining('Enter the credits to allocate'),
      },
    });
  });
});

describe('the ticks of settings', () => {
  it('mean all where the form asked nothing, and one at least where it did', () => {
    expect(readTicks({})).toEqual({ answer: undefined });
    expect(readTicks({ settings_0: list('a'), settings_1: list('b') })).toEqual({ answer: ['a', 'b'] });
    expect(readTicks({ settings_0: list(), settings_1: list() })).toEqual({
      errors: { settings_0: 'Tick one of them at least.' },
    });
  });
});
