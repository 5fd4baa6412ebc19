import type { AdminList } from '../../../../governance/lists/admin-list.ts';
import { buildEnvironmentsMessage } from '../../../../governance/lists/environments-message.ts';
import { listEnvironments } from '../../../../governance/lists/list-environments.ts';

/** `/assistant-admin environments [text]` */
export const ENVIRONMENTS: AdminList = {
  name: 'environments',
  async read(turn, { session, timeZone }, ports) {
    const page = await listEnvironments(turn, { ...ports, session });
    return { content: buildEnvironmentsMessage(page, { timeZone: await timeZone }) };
  },
};
