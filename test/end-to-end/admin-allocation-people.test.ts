import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, nextPrivate, readPrivate } from '../app/administer.ts';
import { type AdminWorld, signInWithKimsAccount } from './admin-world.ts';
import { type AllocationWorld, ANA, forge, ruleOf, startAllocationWorld } from './allocation-world.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AllocationWorld;

beforeAll(async () => {
  world = await startAllocationWorld();
});
beforeEach(() => world.reset());
afterAll(() => world.stop());

describe('two admins', () => {
  it('who change the same environment at once: one succeeds, the other sees both values', async () => {
    await signInWithKimsAccount(world, ANA);
    const forms = [await world.open('Contoso Production'), await world.open('Contoso Production', ANA)];
    const confirmations = [
      await world.review(forms[0] as View, { allocated_0: '31000' }),
      await world.review(forms[1] as View, { deny_0: 'Off' }, ANA),
    ];

    const outcomes = await Promise.all([
      world.confirm(confirmations[0] as View),
      world.confirm(confirmations[1] as View, ANA),
    ]);

    const [won, lost] = outcomes.sort(
      (one, other) => Number(other.includes('Verified')) - Number(one.includes('Verified')),
    );
    expect(won).toContain('*Verified*');
    expect(lost).toContain('*Conflict*: somebody changed the allocation of *Contoso Production*');
    expect(lost).toMatch(/expected (25,000 credits|on), found \*(31,000 credits|off)\*/);
    expect(world.countWrites()).toBe(1);
    const credits = world.creditsOf(PRODUCTION);
    expect([credits?.allocated, ruleOf(credits, 'Deny')]).toBeOneOf([
      [31_000, true],
      [25_000, false],
    ]);
    expect(world.creditsOf(PRODUCTION, 'AI')).toEqual(world.seeds.get(PRODUCTION)?.currencyAllocations[1]);
  });
});

describe('somebody who is no admin', () => {
  const REFUSAL = 'Only administrators of this app may use `/assistant-admin`';

  it('is refused at the command, the button, the select, the form and the confirmation', async () => {
    const form = await world.open('Contoso Production');
    await world.confirm(await world.review(form, { allocated_0: '30008' }));
    await world.readOutcomeModal();
    const value = JSON.stringify({ environmentId: PRODUCTION, name: 'Contoso Production' });
    world.admin.ledger.clear();

    await world.slack.as('U0BEN').command('/assistant-admin', 'allocation contoso', 'C0GENERAL');
    const command = world.slack.render(await awaitModal(world, 'U0BEN'));
    await closeModals(world, 'U0BEN');
    await giveAdminCommand(world, 'U0BEN', 'help');
    const click = forge('block_actions', 'U0BEN');
    const responseUrl = lastResponseUrl(world);
    const given = world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json;
    const count = readPrivate(world, 'U0BEN').length;
    await deliver({
      ...click,
      trigger_id: given.trigger_id,
      channel: { id: 'C0GENERAL' },
      response_url: responseUrl,
      actions: [{ action_id: 'admin_allocation_open', type: 'button', block_id: 'b', action_ts: '1.1', value }],
    });
    const clicked = world.slack.render(await awaitModal(world, 'U0BEN'));
    await deliver({
      ...click,
      view: {
        id: form.id,
        private_metadata: JSON.stringify({ ...(JSON.parse(form.privateMetadata) as Json), replyTo: responseUrl }),
      },
      container: { type: 'view', view_id: form.id },
      actions: [
        {
          action_id: 'admin_allocation_currency',
          type: 'static_select',
          block_id: 'b',
          action_ts: '1.1',
          selected_option: { value: '1' },
        },
      ],
    });
    const selected = world.slack.render(await nextPrivate(world, 'U0BEN', count));
    const submitted = world.slack.ledger.deliveries({ type: 'view_submission' }).slice(-2);
    const bodies: string[] = [];
    for (const { payload } of submitted) {
      bodies.push((await deliver({ ...(payload as Json), ...forge('view_submission', 'U0BEN') })).body);
    }

    const names = submitted.map(({ payload }) => ((payload as Json).view as Json).callback_id);
    expect(names).toEqual(['admin_allocation', 'admin_allocation_confirm']);
    for (const shown of [command, clicked, selected, ...bodies]) expect(shown).toContain(REFUSAL);
    expect(world.admin.ledger.count()).toBe(0);
  });
});

const deliver = (payload: Json) => world.slack.deliver(payload, { kind: 'interaction' });

function lastResponseUrl({ slack }: AdminWorld): unknown {
  const given = slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json | undefined;
  return given?.response_url;
}
