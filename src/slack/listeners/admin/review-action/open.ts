// A button of a review's report, from the click to the modal that knows what it is about.
import type { App, BlockButtonAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Caller } from '../../../../governance/is-admin.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import type { ModalTopic } from '../../../views/admin/modal-topic.ts';
import { parseReviewPlace, type ReviewPlace } from '../../../views/admin/review/place.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import { type Modal, withModal } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';

export type Pressed = {
  caller: Caller;
  client: WebClient;
  place: ReviewPlace;
  modal: Modal;
  session: AdminSession;
  /** A response_url. */
  replyTo: string;
};

const OUT_OF_DATE = 'This button is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

/** `work` begins with a modal in front of an admin who is signed in; what it throws is shown there. */
export function registerReviewAction(
  app: App,
  { actionId, topic }: { actionId: string; topic: ModalTopic },
  ports: AdminPorts,
  work: (pressed: Pressed) => Promise<void>,
): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack, client }) => {
    await ack();
    const replyTo = body.response_url ?? '';
    const say = createSay(replyTo, ports);
    startSaying(say, ports, async () => {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const place = parseReviewPlace(body.actions[0]?.value ?? '');
      if (!place) return void (await say(buildAdminText(OUT_OF_DATE)));
      const opening = { caller, client, place: { triggerId: body.trigger_id }, say, topic };
      await withModal(opening, ports, (modal, session) => work({ caller, client, place, modal, session, replyTo }));
    });
  });
}
