import type { ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Caller } from '../../../governance/is-admin.ts';
import type { Log } from '../../../log.ts';
import { buildAdminSignIn, buildAdminText } from '../../views/admin/admin-messages.ts';
import { buildLoadingModal, buildProblemModal, LIMIT_TOPIC, type ModalTopic } from '../../views/admin/modal-topic.ts';
import { readSlackError } from '../../web-client-error.ts';
import type { AdminPorts, AdminSession } from './admin-ports.ts';
import { toFailureMessage } from './failure-message.ts';
import type { Say } from './say.ts';

/** A trigger opens a new modal; inside one, that one changes. */
type Place = { triggerId: string } | { viewId: string };

/** A modal in front of an admin. Whoever has closed it is not shown anything any more. */
export type Modal = {
  show(view: ModalView): Promise<void>;
  /** Plain text, perhaps from outside. */
  showProblem(sentence: string): Promise<void>;
  showFailure(error: unknown): Promise<void>;
};

/** Where the modal shows up, what it is about, and where the admin hears of what no modal can say. */
export type Opening = { caller: Caller; client: WebClient; place: Place; say: Say; topic?: ModalTopic };

const NOT_OPENED = 'Slack did not let me open the window in time. Please try again.';

/** Undefined where it could not be opened, or the admin has to sign in first: then that was said. */
export async function openModal(
  { caller, client, place, say, topic = LIMIT_TOPIC }: Opening,
  ports: AdminPorts,
): Promise<Modal | undefined> {
  if ('viewId' in place) {
    const modal = toModal(place.viewId, { client, say, topic }, ports);
    await modal.show(buildLoadingModal(topic));
    return modal;
  }
  if (!(await ports.isSignedIn(caller))) {
    await say(buildAdminSignIn(ports.signInVariant));
    return undefined;
  }
  try {
    const { view } = await client.views.open({ trigger_id: place.triggerId, view: buildLoadingModal(topic) });
    return toModal(view?.id ?? '', { client, say, topic }, ports);
  } catch (error) {
    ports.log.warn({ slackError: readSlackError(error) }, 'modal not opened');
    await say(buildAdminText(NOT_OPENED));
    return undefined;
  }
}

/** Opens it, works in the admin's name, and shows there what stopped the work. Asks for the sign-in first. */
export async function withModal(
  opening: Opening,
  ports: AdminPorts,
  work: (modal: Modal, session: AdminSession) => Promise<void>,
): Promise<void> {
  const modal = await openModal(opening, ports);
  if (!modal) return;
  try {
    await work(modal, await ports.openSession(opening.caller));
  } catch (error) {
    await modal.showFailure(error);
  }
}

/** `say` carries the sign-in button, which works in messages only. */
export function toModal(
  viewId: string,
  { client, say, topic = LIMIT_TOPIC }: { client: WebClient; say: Say; topic?: ModalTopic },
  ports: AdminPorts,
): Modal {
  const show = (view: ModalView) => update(client, viewId, view, ports.log);
  return {
    show,
    showProblem: (sentence) => show(buildProblemModal(sentence, topic)),
    async showFailure(error) {
      const { sentence, content, needsMessage } = toFailureMessage(error, ports);
      await show(buildProblemModal(sentence, topic));
      if (needsMessage) await say(content);
    },
  };
}

/** The answer to a submission that cannot go on. `sentence`: plain text, perhaps from outside. */
export function toProblem(sentence: string, topic: ModalTopic = LIMIT_TOPIC): ViewResponseAction {
  return { response_action: 'update', view: buildProblemModal(sentence, topic) };
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
