import { readEnvironmentUsage } from '../../../../governance/environment-usage.ts';
import type { AdminList, ListMessage, ListPorts, Look } from '../../../../governance/lists/admin-list.ts';
import {
  buildEnvironmentUsage,
  buildEnvironmentUsageLines,
} from '../../../../governance/lists/environment-usage-message.ts';
import { listUsage } from '../../../../governance/lists/list-usage.ts';
import { buildUsageLines, buildUsageMessage } from '../../../../governance/lists/usage-message.ts';

/** `/assistant-admin usage [environment]` */
export const USAGE: AdminList = {
  name: 'usage',
  async read(turn, look, ports) {
    const found = await listUsage(turn, { ...ports, session: look.session });
    if (found.kind === 'one') return readUsageOf(found.environment, look, ports);
    const options = { timeZone: await look.timeZone };
    return {
      content: buildUsageMessage(found.overview, options),
      plain: buildUsageLines(found.overview, options),
    };
  },
};

/** Of one environment. `name`: as its makers gave it; perhaps empty. */
export async function readUsageOf(
  { environmentId, name }: { environmentId: string; name: string },
  { session, timeZone }: Look,
  ports: ListPorts,
): Promise<ListMessage> {
  const usage = await readEnvironmentUsage(environmentId, { ...ports, session });
  const options = { name, timeZone: await timeZone };
  return {
    content: buildEnvironmentUsage(usage, options),
    plain: buildEnvironmentUsageLines(usage, options),
  };
}
