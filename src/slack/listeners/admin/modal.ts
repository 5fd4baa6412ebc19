import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Caller } from '../../../governance/is-admin.ts';
import type { Log } from '../../../log.ts';
import { buildAdminSignIn, buildAdminText } from '../../views/admin/admin-messages.ts';
import { buildLoadingModal, buildProblemModal } from '../../views/admin/limit-modal.ts';
import { readSlackError } from '../../web-client-error.ts';
import type { AdminPorts } from './admin-ports.ts';
import { toFailureMessage } from './failure-message.ts';
import type { Say } from './say.ts';

/** A trigger opens a new modal; inside one, that one changes. */
export type Place = { triggerId: string } | { viewId: string };

/** A modal in front of an admin. Whoever has closed it is not shown anything any more. */
export type Modal = {
  show(view: ModalView): Promise<void>;
  /** Plain text, perhaps from outside. */
  showProblem(sentence: string): Promise<void>;
  showFailure(error: unknown): Promise<void>;
};

const NOT_OPENED = 'Slack did not let me open the window in time. Please try again.';

type Opening = { caller: Caller; client: WebClient; place: Place; say: Say };

/** Undefined where it could not be opened, or the admin has to sign in first: then that was said. */
export async function openModal(
  { caller, client, place, say }: Opening,
  ports: AdminPorts,
): Promise<Modal | undefined> {
  if ('viewId' in place) {
    const modal = toModal(place.viewId, { client, say }, ports);
    await modal.show(buildLoadingModal());
    return modal;
  }
  if (!(await ports.isSignedIn(caller))) {
    await say(buildAdminSignIn(ports.signInVariant));
    return undefined;
  }
  try {
    const { view } = await client.views.open({ trigger_id: place.triggerId, view: buildLoadingModal() });
    return toModal(view?.id ?? '', { client, say }, ports);
  } catch (error) {
    ports.log.warn({ slackError: readSlackError(error) }, 'modal not opened');
    await say(buildAdminText(NOT_OPENED));
    return undefined;
  }
}

/** `say` carries the sign-in button, which works in messages only. */
export function toModal(viewId: string, { client, say }: { client: WebClient; say: Say }, ports: AdminPorts): Modal {
  const show = (view: ModalView) => update(client, viewId, view, ports.log);
  return {
    show,
    showProblem: (sentence) => show(buildProblemModal(sentence)),
    async showFailure(error) {
      const { sentence, content, needsMessage } = toFailureMessage(error, ports);
      await show(buildProblemModal(sentence));
      if (needsMessage) await say(content);
    },
  };
}

async function update(client: WebClient, viewId: string, view: ModalView, log: Log): Promise<void> {
  try {
    await client.views.update({ view_id: viewId, view });
  } catch (error) {
    const slackError = readSlackError(error);
    // The admin has closed it.
    if (slackError !== 'not_found') log.warn({ slackError }, 'modal not updated');
  }
}
