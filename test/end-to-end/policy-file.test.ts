// The policy as a file: sent to the app, looked at as a plan, carried out, sent back, changed, and ended.
import { readFileSync } from 'node:fs';
import type { Allocation } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { describe, expect, it } from 'vitest';
import { giveAdminCommand } from '../app/administer.ts';
import { closeModals } from '../app/open-window.ts';
import { BEN, KIM, PLAN } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const REGISTER = readFileSync(new URL('../governance/policy-documents/register.yaml', import.meta.url), 'utf8');
const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const world = shareAdminWorld();

const allocated = () =>
  (world.admin.state.allocations.get(PRODUCTION) as Allocation).currencyAllocations.find(
    ({ currencyType }) => currencyType === 'ServiceMessages',
  )?.allocated;

describe('the policy as a file', () => {
  it('begins with a register of an earlier release: what it approves is the plan', async () => {
    expect(await world.tell('policy')).toContain('The policy is empty');
    const plan = await world.importPolicy(REGISTER);

    expect(plan.callbackId).toBe(PLAN);
    expect(world.render(plan)).toMatch(/2 exceptions in environment .*set from now on/);
    expect(world.render(plan)).toMatch(/credits .*25,000 → 30,000/);
    await world.decide(plan);
    expect(allocated()).toBe(30_000);
    expect(await world.tell('policy')).toMatch(/Policy 1.*2 exceptions/);
  });

  it('is offered to be looked at where an administrator sends it without a command, and to nobody else', async () => {
    const files = [{ name: 'policy.yaml', content: await world.exportPolicy() }];
    const [kim, ben] = [world.slack.as(KIM), world.slack.as(BEN)];
    const offer = await world.awaitSaid(
      () => kim.say(kim.dm, '', { files, subtype: 'file_share' }),
      /policy\.yaml.* is a policy/,
    );
    const form = await world.press(offer, 'Look at it…');
    const isOther = () =>
      kim.say(kim.dm, '', { files: [{ name: 'other.yaml', content: 'a: 1' }], subtype: 'file_share' });

    expect(world.render(form)).toContain('policy.yaml');
    await world.awaitSaid(() => ben.say(ben.dm, '', { files, subtype: 'file_share' }), /did not find a question/, BEN);
    await world.awaitSaid(isOther, /did not find a question/);
    await closeModals(world, KIM);
  });

  it('says nothing changes where it is sent back as it came', async () => {
    const text = await world.exportPolicy();

    expect(world.files().at(-1)?.name).toMatch(/^policy-\d+\.yaml$/);
    expect(world.render(await world.importPolicy(text))).toContain('The policy says all of this already');
  });

  it('makes a plan of what was changed in it, and names the lines of mistakes', async () => {
    const text = await world.exportPolicy();
    expect(text).toContain('# Contoso Production');
    const wrong = await world.importPolicy(text.replace('allocated: 30000', 'alocated: 30000'));
    expect(world.render(wrong)).toMatch(/Line \d+: "alocated" is not a key here\. Did you mean allocated\?/);

    const plan = await world.importPolicy(text.replace('allocated: 30000', 'allocated: 28000'));
    expect(world.render(plan)).toMatch(/credits .*30,000 → 28,000/);
    await world.decide(plan);
    expect(allocated()).toBe(28_000);
  });

  it('explains where a value comes from, and ends an exception with one click', async () => {
    const effective = await world.tell('policy effective env:Contoso Production');
    expect(effective).toMatch(/28,000 credits.*exception through 31 Jan 2027.*FIN-1234/);

    const ending = await giveAdminCommand(world, KIM, 'policy ending');
    expect(world.render(ending)).toMatch(/credits of .Contoso Production.: .28,000 credits.*through 31 Jan 2027, then/);
    await world.decide(await world.press(ending, 'End now'));

    expect(allocated()).toBe(25_000);
    expect(await world.tell('policy')).toMatch(/1 exception\b/);
    expect(await world.tell('log')).toMatch(/Policy imported/);
  });
});
