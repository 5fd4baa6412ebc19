import type { App } from '@slack/bolt';
import { findAgent, type InventoryRow, joinInventory, toGovernedAgent } from '../../../../governance/inventory.ts';
import { lookUpLimit } from '../../../../governance/known-limit.ts';
import type { GovernedAgent } from '../../../../governance/limit.ts';
import { orGap } from '../../../../governance/or-gap.ts';
import { settleLimit } from '../../../../governance/settle-limit.ts';
import { buildAgentChoice } from '../../../views/admin/limit/choice.ts';
import { parseAgentValue } from '../../../views/admin/limit/metadata.ts';
import { buildLimitModal } from '../../../views/admin/limit/modal.ts';
import { SET_LIMIT_ACTION } from '../../../views/admin/lists/limits-message.ts';
import { LIMIT_TOPIC } from '../../../views/admin/modal-topic.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import { type FormOpening, type FormPlace, registerFormButton } from '../form-button.ts';
import { withModal } from '../modal.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

/** `/assistant-admin limit <agent>` */
export async function openLimitOf(text: string, opening: FormOpening, ports: AdminPorts): Promise<void> {
  const { replyTo } = opening;
  await withModal(opening, ports, async (opened) => {
    const { modal } = opened;
    const { rows, truncated } = await readInventory(opened.session);
    const match = findAgent(rows, text);
    if (match.kind === 'several') {
      return modal.show(buildAgentChoice(match.agents, { query: text, replyTo }));
    }
    if (match.kind === 'none') return modal.showProblem(describeMissing(text, truncated));
    const agent = toGovernedAgent(match.agent);
    if (!agent) return modal.showProblem(describeUngoverned(match.agent));
    await showForm(agent, { ...opened, replyTo }, ports);
  });
}

/** *Set limit…* under an agent of the list, or of the choice between several. */
export function registerSetLimit(app: App, ports: AdminPorts): void {
  const button = { actionId: SET_LIMIT_ACTION, topic: LIMIT_TOPIC, parse: parseAgentValue, outOfDate: OUT_OF_DATE };
  registerFormButton(app, { ...button, show: showForm }, ports);
}

async function showForm(
  agent: GovernedAgent,
  { modal, session, caller, replyTo }: FormPlace,
  ports: AdminPorts,
): Promise<void> {
  const { client, token } = session;
  const { changes, now } = ports;
  const [looked, timeZone] = await Promise.all([
    lookUpLimit(agent, { readThresholds: () => client.readThresholds(token), changes, now }),
    ports.timeZone(caller),
  ]);
  const interrupted = await settleLimit(looked.agent, looked.known, { changes, now });
  const options = { timeZone, replyTo, interrupted };
  await modal.show(buildLimitModal(looked.agent, looked.known, options));
}

/** The names of environments are a comfort: without them their ids do. */
async function readInventory({ client, token }: AdminSession): Promise<{ rows: InventoryRow[]; truncated: boolean }> {
  const [agents, environments] = await Promise.all([client.findAgents(token), orGap(client.findEnvironments(token))]);
  return {
    rows: joinInventory(agents.rows, environments === 'gap' ? [] : environments.rows),
    truncated: agents.truncated,
  };
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No agent fits “${text.slice(0, 100)}”.${incomplete} Try part of its name, or find it with /assistant-admin limits.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so no limit can be set from here. Set it in the admin console.`;
}
