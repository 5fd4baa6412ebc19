import type { App, Context } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { readSource } from '../installations/request-source.ts';
import { LONG_AGO, type Uninstall } from '../installations/uninstall.ts';
import { MAX_EVENT_RETRIES } from '../web/limits.ts';

export type AppUninstalledPorts = { uninstall: Uninstall; log: Log };

const revoked = z.looseObject({ tokens: z.looseObject({ bot: z.array(z.string()).optional() }) });

/**
 * The app was uninstalled, or its token revoked. Slack mostly sends both, in any order, and neither comes with a token
 * that works. People's own tokens, which we have none of, are revoked by the same event.
 */
export function registerAppUninstalled(app: App, { uninstall, log }: AppUninstalledPorts): void {
  app.event('app_uninstalled', ({ body, context }) => end(body, context));
  app.event('tokens_revoked', async ({ event, body, context }) => {
    const { data } = revoked.safeParse(event);
    if (data?.tokens.bot?.length) await end(body, context);
  });

  async function end(body: { event_time?: number }, { isEnterpriseInstall, retryNum = 0 }: Context): Promise<void> {
    const { workspace, enterprise = workspace } = readSource(body);
    const [named, other] = isEnterpriseInstall ? [enterprise, workspace] : [workspace, enterprise];
    const endedAt = (body.event_time ?? 0) * 1000;
    const outcome = await uninstall({ workspace: named, endedAt, isLastTry: retryNum >= MAX_EVENT_RETRIES });
    log.info({ workspace: named, outcome }, 'slack said that an installation ended');
    // A team's installation and its organisation's are not always told apart: the other one may be over, too.
    if (other !== named) await uninstall({ workspace: other, endedAt: LONG_AGO, isLastTry: true });
  }
}
