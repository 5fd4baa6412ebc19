import { listEnvironments } from '../../../../governance/list-environments.ts';
import { buildEnvironmentsMessage } from '../../../views/admin/lists/environments-message.ts';
import type { AdminList } from './admin-list.ts';

/** `/assistant-admin environments [text]` */
export const ENVIRONMENTS: AdminList = {
  name: 'environments',
  async read(turn, { session, timeZone }, ports) {
    const page = await listEnvironments(turn, { ...ports, session });
    return { content: buildEnvironmentsMessage(page, { timeZone: await timeZone }) };
  },
};
