import type { App, BlockButtonAction } from '@slack/bolt';
import { buildAdminText } from '../../views/admin/admin-messages.ts';
import type { ModalTopic } from '../../views/admin/modal-topic.ts';
import { requireAdmin, toCaller } from './access.ts';
import type { AdminPorts, AdminSession } from './admin-ports.ts';
import { type Modal, type Opening, withModal } from './modal.ts';
import { createSay, startSaying } from './say.ts';

/** `responseUrl`: of the command or the message that the form was opened from, where its outcome is told. */
export type FormOpening = Opening & { responseUrl: string };

/** What a form is filled from, and where. */
export type FormPlace = { modal: Modal; session: AdminSession; opening: FormOpening };

type FormButton<Subject> = {
  actionId: string;
  topic: ModalTopic;
  /** What the button's value names; undefined where an earlier release made it. */
  parse(value: string): Subject | undefined;
  /** Said then. */
  outOfDate: string;
  show(subject: Subject, place: FormPlace, ports: AdminPorts): Promise<void>;
};

/** A button of a list, or of the choice between several, which its form takes the place of. */
export function registerFormButton<Subject>(app: App, button: FormButton<Subject>, ports: AdminPorts): void {
  const { actionId, topic, parse, outOfDate, show } = button;
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack, client }) => {
    await ack();
    const responseUrl = body.response_url ?? body.view?.private_metadata ?? '';
    const say = createSay(responseUrl, ports);
    startSaying(say, ports, async () => {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const subject = parse(body.actions[0]?.value ?? '');
      if (!subject) return void (await say(buildAdminText(outOfDate)));
      const place = body.view ? { viewId: body.view.id } : { triggerId: body.trigger_id };
      const opening = { caller, client, place, say, responseUrl, topic };
      await withModal(opening, ports, (modal, session) => show(subject, { modal, session, opening }, ports));
    });
  });
}
