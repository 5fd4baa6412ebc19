import type { AdminList } from '../../../../governance/lists/admin-list.ts';
import { buildLimitsMessage } from '../../../../governance/lists/limits-message.ts';
import { listLimits } from '../../../../governance/lists/list-limits.ts';

/** `/assistant-admin limits [agent]` */
export const LIMITS: AdminList = {
  name: 'limits',
  async read(turn, { session, timeZone }, ports) {
    const page = await listLimits(turn, { ...ports, session });
    return { content: buildLimitsMessage(page, { timeZone: await timeZone }) };
  },
};
