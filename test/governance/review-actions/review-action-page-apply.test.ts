// The corrections of a page, where something stops them in the middle.
import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../src/admin-api/licensing-wire.ts';
import { LockBusyError, StoreUnavailableError } from '../../../src/errors.ts';
import { carryOutPage, keepPage, type PageApplyPorts } from '../../../src/governance/review-actions/carry-out-page.ts';
import type { StopAnswer } from '../../../src/governance/review-actions/correct-page-views.ts';
import type { Submitted } from '../../../src/governance/review-actions/review-action.ts';
import { AdminTooOftenError, createAllowance } from '../../../src/governance/shell/allowance.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { anAllocation, aPlan } from '../allocations/samples.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { NOW } from '../shell/samples.ts';

const KIM = { team: 'T1', workspace: 'T1', user: 'U1' };

/** Environments env-1 to env-`count` with fewer credits to come, confirmed by Kim. `busy`: somebody else is at it. */
function aWorld(
  count: number,
  { busy = [], mayBeStopped = [] }: { busy?: readonly string[]; mayBeStopped?: readonly string[] } = {},
) {
  const allocations = new Map<string, Allocation>();
  const planned = Array.from({ length: count }, (_, index) => {
    const environmentId = `env-${index + 1}`;
    const before = { ...anAllocation(), environmentId };
    allocations.set(environmentId, before);
    const plan = { ...aPlan(before, { allocated: 1 }), environmentId };
    return {
      changeId: `change-${index + 1}`,
      mayBeStopped: mayBeStopped.includes(`change-${index + 1}`),
      change: { kind: 'allocation' as const, plan, environmentName: environmentId },
    };
  });
  const { changes, once } = createMemoryStore(() => NOW);
  const exclusively = createExclusively(async (key, run) => {
    if (busy.some((id) => key.endsWith(id))) throw new LockBusyError('held');
    return run();
  });
  const session = {
    readAllocation: async (id: string) => allocations.get(id),
    async updateAllocation(allocation: Allocation) {
      allocations.set(allocation.environmentId, allocation);
      return {};
    },
  };
  const quiet = () => undefined;
  const ports = {
    ...{ approvals: once, changes, exclusively, needsApproval: false, now: () => NOW },
    allowance: createAllowance(createMemoryBuckets(() => 0)),
    adminAccount: async () => undefined,
    log: { info: quiet, warn: quiet, error: quiet },
  } as unknown as PageApplyPorts;
  const said: Content[] = [];
  const shown: string[] = [];
  const submitted = {
    ...{
      caller: KIM,
      openSession: async () => session,
      state: { id: 'page-1', place: { report: 'r', page: 0, key: 'k' } },
    },
    say: async (content: Content) => said.push(content) > 0,
    modal: { show: async (view: object) => void shown.push(readTexts(view)), showProblem: async () => undefined },
  } as unknown as Submitted;
  const chosen = planned.map(({ changeId }) => changeId);
  return {
    ports,
    changes,
    said,
    shown,
    async confirm(over: Partial<PageApplyPorts> = {}, stopped?: StopAnswer) {
      await keepPage('page-1', { planned, leftOut: [] }, ports);
      await carryOutPage(submitted, { chosen, stopped, reason: 'back to the register' }, { ...ports, ...over });
    },
    async readKeptPlan() {
      const kept = await once.peek('correct-page:page-1');
      return (JSON.parse(kept ?? '{}') as { planned: { changeId: string }[] }).planned;
    },
    credits: () => [...allocations.values()].map(({ currencyAllocations: [one] }) => one?.allocated),
    told: () => readTexts(said.at(-1) ?? {}),
  };
}

describe('the corrections of a page', () => {
  it('are refused as a whole where the allowance does not reach for all of them', async () => {
    const { ports, confirm, credits, said } = aWorld(10);
    await ports.allowance.spend('change', KIM);

    await expect(confirm()).rejects.toThrow(AdminTooOftenError);

    expect(new Set(credits())).toEqual(new Set([1_000]));
    expect(said).toEqual([]);
  });

  it('take what they need of the allowance once, however often they are confirmed', async () => {
    const { confirm, credits, shown } = aWorld(10);

    await confirm();
    await confirm();

    expect(new Set(credits())).toEqual(new Set([1]));
    expect(shown.at(-1)).toContain('confirmed before, and carried out once. It ended as *Verified*.');
  });

  it('say what was made, and what was not, where the store fails in the middle', async () => {
    const { changes, confirm, credits, told } = aWorld(3);
    const begin: typeof changes.begin = (change) =>
      change.id === 'change-2' ? Promise.reject(new StoreUnavailableError('gone')) : changes.begin(change);

    await confirm({ changes: { ...changes, begin } });

    expect(credits()).toEqual([1, 1_000, 1_000]);
    expect(told()).toContain('*Corrected*: 1 of 3 findings');
    expect(told()).toContain('*env-1*: *Verified*');
    expect(told().match(/not tried, nothing was changed/g)).toHaveLength(2);
    expect(told()).toContain('*Broken off here*');
    expect(told()).not.toContain('Nothing was done');
  });

  it('show the one that was begun when it broke off as what it is', async () => {
    const { changes, confirm, told } = aWorld(3);
    async function begin(change: Parameters<typeof changes.begin>[0]) {
      const begun = await changes.begin(change);
      if (change.id === 'change-2') throw new StoreUnavailableError('gone');
      return begun;
    }

    await confirm({ changes: { ...changes, begin } });

    expect(told()).toContain('*env-2*: begun, and broken off. It may have been made: review it again');
    expect(told()).toContain('*env-3*: not tried, nothing was changed.');
  });

  it('go on where somebody else is at work on one of them', async () => {
    const { confirm, credits, told } = aWorld(3, { busy: ['env-2'] });

    await confirm();

    expect(credits()).toEqual([1, 1_000, 1]);
    expect(told()).toContain('*env-2*: somebody else is changing it just now, so nothing was changed here.');
  });

  it('leave out what may be stopped, unless the admin says that it is not', async () => {
    const { confirm, credits, told } = aWorld(3, { mayBeStopped: ['change-2'] });

    await confirm({}, 'leave_out');
    const before = credits();
    await confirm({}, 'not_stopped');

    expect(before).toEqual([1, 1_000, 1]);
    expect(credits()).toEqual([1, 1, 1]);
    expect(told()).toContain('*Corrected*: 3 of 3 findings');
  });

  it('name what was left out, and keep it from a replica that does not ask', async () => {
    const { confirm, told, readKeptPlan } = aWorld(2, { mayBeStopped: ['change-2'] });

    await confirm({}, 'leave_out');

    expect(told()).toContain('*Corrected*: 1 of 1 finding');
    expect(told()).toContain('*env-2*: you said that it may be stopped.');
    expect((await readKeptPlan()).map(({ changeId }) => changeId)).toEqual(['change-1']);
  });

  it('are said to be in hand where they are carried out at this moment', async () => {
    const { changes, confirm, shown, said } = aWorld(2, { busy: ['page-1'] });
    await changes.begin({ id: 'change-1' } as never);

    await confirm();

    expect(shown.at(-1)).toContain('is being carried out just now');
    expect(shown.at(-1)).toContain('It has not ended yet.');
    expect(said).toEqual([]);
  });
});
