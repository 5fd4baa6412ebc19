import type { App, BlockButtonAction } from '@slack/bolt';
import type { Caller } from '../../../governance/is-admin.ts';
import { listLimits } from '../../../governance/list-limits.ts';
import { buildAdminText } from '../../views/admin/admin-messages.ts';
import { type LimitsPageTurn, parsePageTurn } from '../../views/admin/limit-metadata.ts';
import { buildLimitsMessage, LIMITS_NEXT_ACTION, LIMITS_PREVIOUS_ACTION } from '../../views/admin/limits-message.ts';
import { requireAdmin, toCaller } from './access.ts';
import type { AdminPorts } from './admin-ports.ts';
import { createSay, type Say, startSaying } from './say.ts';

/** Past this a person wonders whether the command arrived. */
const STILL_LOOKING_AFTER_MS = 2_500;

const STILL_LOOKING = 'Still looking that up…';

const OUT_OF_DATE = 'This list is too old to turn its pages. Give the command again: `/assistant-admin limits`.';

/** `isAwaited`: nothing is on the screen yet, so that a long wait needs a word. */
type Asked = { caller: Caller; say: Say; isAwaited: boolean };

export async function sayLimits(
  turn: LimitsPageTurn,
  { caller, say, isAwaited }: Asked,
  ports: AdminPorts,
): Promise<void> {
  const note = isAwaited
    ? setTimeout(() => void say(buildAdminText(STILL_LOOKING)), STILL_LOOKING_AFTER_MS)
    : undefined;
  try {
    const session = await ports.openSession(caller);
    const [page, timeZone] = await Promise.all([listLimits(turn, { ...ports, ...session }), ports.timeZone(caller)]);
    clearTimeout(note);
    await say(buildLimitsMessage(page, { timeZone }));
  } finally {
    clearTimeout(note);
  }
}

/** *Previous* and *Next*: the page takes the place of the one before; where it cannot be had, that one stays. */
export function registerLimitsPages(app: App, ports: AdminPorts): void {
  for (const actionId of [LIMITS_PREVIOUS_ACTION, LIMITS_NEXT_ACTION]) {
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
      await ack();
      const say = createSay(body.response_url, ports);
      startSaying(say, ports, async () => {
        const caller = await toCaller({ body, user: body.user.id }, ports);
        await requireAdmin(caller, ports);
        const turn = parsePageTurn(body.actions[0]?.value ?? '');
        if (!turn) return void (await say(buildAdminText(OUT_OF_DATE)));
        const replace: Say = (content) => ports.respond(body.response_url, { replace_original: true, ...content });
        await sayLimits(turn, { caller, say: replace, isAwaited: false }, ports);
      });
    });
  }
}
