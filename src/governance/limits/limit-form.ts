import { buildAgentChoice } from '../../slack/views/admin/limit/choice.ts';
import { parseAgentValue, SET_LIMIT_ACTION } from '../../slack/views/admin/limit/metadata.ts';
import { buildLimitModal } from '../../slack/views/admin/limit/modal.ts';
import { LIMIT_TOPIC } from '../../slack/views/modal.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { GovernedAgent } from '../inventory/agent-limit.ts';
import { findAgent, type InventoryRow, readInventory, toGovernedAgent } from '../inventory/inventory.ts';
import { settleLimit } from '../settle-limit.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { Opened } from '../shell/modal.ts';
import type { TimeZones } from '../shell/respond.ts';
import { lookUpLimit } from './known-limit.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

export type LimitOpenPorts = TimeZones & { changes: ChangeStore; now: () => number };

/** `/assistant-admin limit <agent>` */
export async function openLimitOf(text: string, opened: Opened, ports: LimitOpenPorts): Promise<void> {
  const { modal, session, replyTo } = opened;
  const { rows, truncated } = await readInventory(session);
  const match = findAgent(rows, text);
  if (match.kind === 'several') return modal.show(buildAgentChoice(match.agents, { query: text, replyTo }));
  if (match.kind === 'none') return modal.showProblem(describeMissing(text, truncated));
  const agent = toGovernedAgent(match.agent);
  if (!agent) return modal.showProblem(describeUngoverned(match.agent));
  await showForm(agent, opened, ports);
}

/** *Set limit…* under an agent of the list, or of the choice between several. */
export function registerSetLimit(shell: AdminShell, ports: LimitOpenPorts): void {
  const button = { actionId: SET_LIMIT_ACTION, topic: LIMIT_TOPIC, parse: parseAgentValue, outOfDate: OUT_OF_DATE };
  shell.onModalButton(button, (agent, opened) => showForm(agent, opened, ports));
}

async function showForm(
  agent: GovernedAgent,
  { modal, session, caller, replyTo }: Opened,
  ports: LimitOpenPorts,
): Promise<void> {
  const { changes, now } = ports;
  const [looked, timeZone] = await Promise.all([lookUpLimit(agent, { session, changes, now }), ports.timeZone(caller)]);
  const interrupted = await settleLimit(looked.agent, looked.known, { changes, now });
  const options = { timeZone, replyTo, interrupted };
  await modal.show(buildLimitModal(looked.agent, looked.known, options));
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No agent fits “${text.slice(0, 100)}”.${incomplete} Try part of its name, or find it with /assistant-admin limits.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so no limit can be set from here. Set it in the admin console.`;
}
