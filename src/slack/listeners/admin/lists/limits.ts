import { listLimits } from '../../../../governance/list-limits.ts';
import { buildLimitsMessage } from '../../../views/admin/lists/limits-message.ts';
import type { AdminList } from './admin-list.ts';

/** `/assistant-admin limits [agent]` */
export const LIMITS: AdminList = {
  name: 'limits',
  async read(turn, { session, timeZone }, ports) {
    const page = await listLimits(turn, { ...ports, session });
    return { content: buildLimitsMessage(page, { timeZone: await timeZone }) };
  },
};
