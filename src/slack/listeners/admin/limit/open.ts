import type { App, BlockButtonAction } from '@slack/bolt';
import { toAdminFailure } from '../../../../governance/admin-failure.ts';
import { findAgent, type InventoryRow, joinInventory, toGovernedAgent } from '../../../../governance/inventory.ts';
import { lookUpLimit } from '../../../../governance/known-limit.ts';
import type { GovernedAgent } from '../../../../governance/limit.ts';
import { settleLimit } from '../../../../governance/settle-limit.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { buildAgentChoice } from '../../../views/admin/limit/choice.ts';
import { parseAgentValue } from '../../../views/admin/limit/metadata.ts';
import { buildLimitModal } from '../../../views/admin/limit/modal.ts';
import { SET_LIMIT_ACTION } from '../../../views/admin/lists/limits-message.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import { type Modal, type Opening, withModal } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

/** `/assistant-admin limit <agent>` */
export async function openLimitOf(text: string, opening: LimitOpening, ports: AdminPorts): Promise<void> {
  await withModal(opening, ports, async (modal, session) => {
    const { rows, truncated } = await readInventory(session);
    const match = findAgent(rows, text);
    if (match.kind === 'several') {
      return modal.show(buildAgentChoice(match.agents, { query: text, replyTo: opening.responseUrl }));
    }
    if (match.kind === 'none') return modal.showProblem(describeMissing(text, truncated));
    const agent = toGovernedAgent(match.agent);
    if (!agent) return modal.showProblem(describeUngoverned(match.agent));
    await showForm(agent, { modal, session, opening }, ports);
  });
}

/** *Set limit…* under an agent of the list, or of the choice between several. */
export function registerSetLimit(app: App, ports: AdminPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: SET_LIMIT_ACTION }, async (args) => {
    const { body, ack, client } = args;
    await ack();
    const responseUrl = body.response_url ?? body.view?.private_metadata ?? '';
    const say = createSay(responseUrl, ports);
    startSaying(say, ports, async () => {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const agent = parseAgentValue(body.actions[0]?.value ?? '');
      if (!agent) return void (await say(buildAdminText(OUT_OF_DATE)));
      const place = body.view ? { viewId: body.view.id } : { triggerId: body.trigger_id };
      const opening = { caller, client, place, say, responseUrl };
      await withModal(opening, ports, (modal, session) => showForm(agent, { modal, session, opening }, ports));
    });
  });
}

type LimitOpening = Opening & { responseUrl: string };

type Shown = { modal: Modal; session: AdminSession; opening: LimitOpening };

async function showForm(agent: GovernedAgent, { modal, session, opening }: Shown, ports: AdminPorts): Promise<void> {
  const { client, token } = session;
  const { changes, now } = ports;
  const [looked, timeZone] = await Promise.all([
    lookUpLimit(agent, { readThresholds: () => client.readThresholds(token), changes, now }),
    ports.timeZone(opening.caller),
  ]);
  const interrupted = await settleLimit(looked.agent, looked.known, { changes, now });
  const options = { timeZone, replyTo: opening.responseUrl, interrupted };
  await modal.show(buildLimitModal(looked.agent, looked.known, options));
}

/** The names of environments are a comfort: without them their ids do. */
async function readInventory({ client, token }: AdminSession): Promise<{ rows: InventoryRow[]; truncated: boolean }> {
  const [agents, environments] = await Promise.all([
    client.findAgents(token),
    client.findEnvironments(token).catch((error: unknown) => {
      if (toAdminFailure(error) === undefined) throw error;
      return { rows: [] };
    }),
  ]);
  return { rows: joinInventory(agents.rows, environments.rows), truncated: agents.truncated };
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No agent fits “${text.slice(0, 100)}”.${incomplete} Try part of its name, or find it with /assistant-admin limits.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so no limit can be set from here. Set it in the admin console.`;
}
