import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalTopic } from '../../views/admin/modal-topic.ts';
import type { AdminPorts } from './admin-ports.ts';
import { type Opened, type Opening, withModal } from './modal.ts';
import { createSay, startSaying, toReplyTo } from './say.ts';

/** `replyTo`: where the form was opened from, and its outcome is told. */
export type FormOpening = Opening & { replyTo: string };

/** What a form is filled from, and where. */
export type FormPlace = Opened & Pick<FormOpening, 'replyTo'>;

type FormButton<Subject> = {
  actionId: string;
  topic: ModalTopic;
  /** What the button's value names; undefined where an earlier release made it. */
  parse(value: string): Subject | undefined;
  /** Shown then; plain text. */
  outOfDate: string;
  show(subject: Subject, place: FormPlace, ports: AdminPorts): Promise<void>;
};

/** A button of a list, or of the choice between several, which its form takes the place of. */
export function registerFormButton<Subject>(app: App, button: FormButton<Subject>, ports: AdminPorts): void {
  const { actionId, topic, parse, outOfDate, show } = button;
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
    await ack();
    const replyTo = body.view ? body.view.private_metadata : toReplyTo(body);
    const say = createSay(body, ports, replyTo);
    const opening = { body, user: body.user.id, say, topic, ...(body.view && { viewId: body.view.id }) };
    startSaying(say, ports, () =>
      withModal(opening, ports, async (opened) => {
        const subject = parse(body.actions[0]?.value ?? '');
        if (!subject) return opened.modal.showProblem(outOfDate);
        await show(subject, { ...opened, replyTo }, ports);
      }),
    );
  });
}
