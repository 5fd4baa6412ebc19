import { buildEnvironmentChoice } from '../../slack/views/admin/allocation/choice.ts';
import {
  ALLOCATION_OPEN_ACTION,
  type EnvironmentValue,
  parseEnvironmentValue,
} from '../../slack/views/admin/environment-value.ts';
import { ALLOCATION_TOPIC } from '../../slack/views/modal.ts';
import type { WithLock } from '../../with-lock.ts';
import { findCurrency } from '../allocation/credit-rules.ts';
import type { ChangeStore } from '../changes/change.ts';
import { matchEnvironments, nameEnvironments } from '../environments.ts';
import { orGap } from '../or-gap.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { Opened } from '../shell/modal.ts';
import { type KeepPorts, keepAllocation } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import { lookUpAllocation } from './allocation.ts';
import { type AllocationShown, buildAllocationModal, listCurrencies } from './allocation-form-views.ts';
import { toCreditUsage } from './consumption.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin allocation <environment>`.';

export type AllocationOpenPorts = KeepPorts &
  TimeZones & {
    changes: ChangeStore;
    exclusively: WithLock;
    /** The credit currency that agents use. */
    currency: string;
  };

/** `/assistant-admin allocation <environment>` */
export async function openAllocationOf(text: string, opened: Opened, ports: AllocationOpenPorts): Promise<void> {
  const { modal, session, replyTo } = opened;
  const { rows, truncated } = await session.findEnvironments();
  const matches = text.trim() === '' ? [] : matchEnvironments(nameEnvironments(rows), text);
  const [environment] = matches;
  if (environment === undefined) return modal.showProblem(describeMissing(text, truncated));
  if (matches.length > 1) return modal.show(buildEnvironmentChoice(matches, { query: text, replyTo }));
  await showForm(environment, opened, ports);
}

/** *Allocation…* under an environment of a list, or of the choice between several. */
export function registerAllocationOpen(shell: AdminShell, ports: AllocationOpenPorts): void {
  const button = { actionId: ALLOCATION_OPEN_ACTION, topic: ALLOCATION_TOPIC, outOfDate: OUT_OF_DATE };
  shell.onModalButton({ ...button, parse: parseEnvironmentValue }, (environment, opened) =>
    showForm(environment, opened, ports),
  );
}

async function showForm(
  { environmentId, name }: EnvironmentValue,
  { modal, session, caller, replyTo }: Opened,
  ports: AllocationOpenPorts,
): Promise<void> {
  const { changes, exclusively, now, currency } = ports;
  const [look, entitlements, timeZone] = await Promise.all([
    lookUpAllocation(environmentId, { session, changes, exclusively, now }),
    // A comfort: the allocation can be set without it.
    orGap(session.readEntitlements(environmentId)),
    ports.timeZone(caller),
  ]);
  const { allocation, readAt, interrupted } = look;
  if (allocation === 'none') return modal.showProblem(describeNone(name));
  const usage = entitlements === 'gap' ? 'unreadable' : toCreditUsage(entitlements, now());
  const shown: AllocationShown = { environmentName: name, allocation, readAt, usage, interrupted };
  const chosen = findCurrency(allocation, currency)?.currencyType ?? currency;
  const place = Math.max(0, listCurrencies(allocation, currency).indexOf(chosen));
  const state = { shown: await keepAllocation(shown, ports), place, replyTo };
  await modal.show(buildAllocationModal(shown, state, { currency, timeZone }));
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No environment fits “${text.slice(0, 100)}”.${incomplete} Try part of its name or its id, or find it with /assistant-admin environments. New environments may take a while to be listed.`;
}

function describeNone(name: string): string {
  return `The service has no allocation of “${name.slice(0, 100)}”, so there is nothing to set from here. The environment may be of a kind that gets no credits of its own, or it was deleted: look at it in the admin console.`;
}
