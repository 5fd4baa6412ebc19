import type { App, BlockButtonAction } from '@slack/bolt';
import { findCurrency } from '../../../../governance/allocation/credit-rules.ts';
import { lookUpAllocation } from '../../../../governance/allocation/known-allocation.ts';
import { toCreditUsage } from '../../../../governance/allocation/usage.ts';
import { matchEnvironments, nameEnvironments } from '../../../../governance/environments.ts';
import { orGap } from '../../../../governance/or-gap.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { buildEnvironmentChoice } from '../../../views/admin/allocation/choice.ts';
import { type AllocationShown, buildAllocationModal, listCurrencies } from '../../../views/admin/allocation/modal.ts';
import {
  ALLOCATION_OPEN_ACTION,
  type EnvironmentValue,
  parseEnvironmentValue,
} from '../../../views/admin/environment-value.ts';
import { ALLOCATION_TOPIC } from '../../../views/admin/modal-topic.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import { keepAllocation } from '../kept-for-modals.ts';
import { type Modal, type Opening, withModal } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';

type AllocationOpening = Omit<Opening, 'topic'> & { responseUrl: string };

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin allocation <environment>`.';

/** `/assistant-admin allocation <environment>` */
export async function openAllocationOf(text: string, opening: AllocationOpening, ports: AdminPorts): Promise<void> {
  await withModal({ ...opening, topic: ALLOCATION_TOPIC }, ports, async (modal, session) => {
    const { rows, truncated } = await session.client.findEnvironments(session.token);
    const matches = text.trim() === '' ? [] : matchEnvironments(nameEnvironments(rows), text);
    const [environment] = matches;
    if (environment === undefined) return modal.showProblem(describeMissing(text, truncated));
    if (matches.length > 1) {
      return modal.show(buildEnvironmentChoice(matches, { query: text, replyTo: opening.responseUrl }));
    }
    await showForm(environment, { modal, session, opening }, ports);
  });
}

/** *Allocation…* under an environment of a list, or of the choice between several. */
export function registerAllocationOpen(app: App, ports: AdminPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ALLOCATION_OPEN_ACTION }, async (args) => {
    const { body, ack, client } = args;
    await ack();
    const responseUrl = body.response_url ?? body.view?.private_metadata ?? '';
    const say = createSay(responseUrl, ports);
    startSaying(say, ports, async () => {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const environment = parseEnvironmentValue(body.actions[0]?.value ?? '');
      if (!environment) return void (await say(buildAdminText(OUT_OF_DATE)));
      const place = body.view ? { viewId: body.view.id } : { triggerId: body.trigger_id };
      const opening = { caller, client, place, say, responseUrl };
      const topic = ALLOCATION_TOPIC;
      await withModal({ ...opening, topic }, ports, (modal, session) =>
        showForm(environment, { modal, session, opening }, ports),
      );
    });
  });
}

type Shown = { modal: Modal; session: AdminSession; opening: AllocationOpening };

async function showForm(
  { environmentId, name }: EnvironmentValue,
  { modal, session, opening }: Shown,
  ports: AdminPorts,
): Promise<void> {
  const { client, token } = session;
  const { changes, exclusively, now, currency } = ports;
  const [look, entitlements, timeZone] = await Promise.all([
    lookUpAllocation(environmentId, {
      readAllocation: (id) => client.readAllocation(token, id),
      changes,
      exclusively,
      now,
    }),
    // A comfort: the allocation can be set without it.
    orGap(client.readEntitlements(token, environmentId)),
    ports.timeZone(opening.caller),
  ]);
  const { allocation, readAt, interrupted } = look;
  if (allocation === 'none') return modal.showProblem(describeNone(name));
  const usage = entitlements === 'gap' ? 'unreadable' : toCreditUsage(entitlements, now());
  const shown: AllocationShown = { environmentName: name, allocation, readAt, usage, interrupted };
  const chosen = findCurrency(allocation, currency)?.currencyType ?? currency;
  const place = Math.max(0, listCurrencies(allocation, currency).indexOf(chosen));
  const state = { shown: await keepAllocation(shown, ports), place, replyTo: opening.responseUrl };
  await modal.show(buildAllocationModal(shown, state, { currency, timeZone }));
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No environment fits “${text.slice(0, 100)}”.${incomplete} Try part of its name or its id, or find it with /assistant-admin environments. New environments may take a while to be listed.`;
}

function describeNone(name: string): string {
  return `The service has no allocation of “${name.slice(0, 100)}”, so there is nothing to set from here. The environment may be of a kind that gets no credits of its own, or it was deleted: look at it in the admin console.`;
}
