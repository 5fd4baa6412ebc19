import { parseAgentFilter } from '../../../../governance/agent-filter.ts';
import type { AdminList } from '../../../../governance/lists/admin-list.ts';
import { buildAgentsMessage } from '../../../../governance/lists/agents-message.ts';
import { listAgents } from '../../../../governance/lists/list-agents.ts';
import { toSearchText } from '../../../../governance/search-text.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';

/** `/assistant-admin agents [name] [env:…] [owner:…] [harness]` */
export const AGENTS: AdminList = {
  name: 'agents',
  async read(turn, { session, timeZone }, ports) {
    const query = toSearchText(turn.query);
    const parsed = parseAgentFilter(query);
    if (!parsed.ok) return { content: buildAdminText(parsed.sentence) };
    const filter = { ...parsed.filter, ...(turn.harness && { harness: turn.harness }) };
    const page = await listAgents({ filter, page: turn.page }, { ...ports, session });
    return { content: buildAgentsMessage(page, { timeZone: await timeZone, turn: { ...turn, query } }) };
  },
};
