// A button of a review's report, from the click to the modal that knows what it is about.
import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalTopic } from '../../../views/admin/modal-topic.ts';
import { parseReviewPlace, type ReviewPlace } from '../../../views/admin/review/place.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { type Opened, withModal } from '../modal.ts';
import { createSay, startSaying, toReplyTo } from '../say.ts';

/** `replyTo`: see say.ts. */
export type Pressed = Opened & { place: ReviewPlace; replyTo: string };

const OUT_OF_DATE = 'This button is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

/** `work` begins with a modal in front of an admin who is signed in; what it throws is shown there. */
export function registerReviewAction(
  app: App,
  { actionId, topic }: { actionId: string; topic: ModalTopic },
  ports: AdminPorts,
  work: (pressed: Pressed) => Promise<void>,
): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
    await ack();
    const say = createSay(body, ports);
    const opening = { body, user: body.user.id, say, topic };
    startSaying(say, ports, () =>
      withModal(opening, ports, async (opened) => {
        const place = parseReviewPlace(body.actions[0]?.value ?? '');
        if (!place) return opened.modal.showProblem(OUT_OF_DATE);
        await work({ ...opened, place, replyTo: toReplyTo(body) });
      }),
    );
  });
}
