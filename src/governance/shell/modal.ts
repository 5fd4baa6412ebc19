import type { ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildLoadingModal, buildProblemModal, type ModalTopic } from '../../slack/views/modal.ts';
import { openWindow, type Window, type WindowPorts, windowOf } from '../../slack/window.ts';
import { type AdmitPorts, admit } from './access.ts';
import type { Caller } from './admin-rules.ts';
import { type FailurePorts, toFailureMessage } from './failure-message.ts';
import type { Say } from './respond.ts';

/** A modal in front of an admin. Whoever has closed it is not shown anything any more. */
export type Modal = {
  show(view: ModalView): Promise<void>;
  /** Plain text, perhaps from outside. */
  showProblem(sentence: string): Promise<void>;
  showFailure(error: unknown): Promise<void>;
};

/** What modals are shown with. */
export type ModalPorts = WindowPorts & FailurePorts;

/**
 * What the modal is about, and where the admin hears of what no modal can say. `body`: what Slack sent, with the trigger.
 * `viewId`: of a modal that is open, and changes instead. `replyTo`: see respond.ts.
 */
export type Opening = { body: object; user: string; say: Say; replyTo: string; viewId?: string; topic: ModalTopic };

/** What is done in a modal, and for whom. `replyTo`: where it was opened from, and its outcome is told. */
export type Opened = { modal: Modal; session: AdminSession; caller: Caller; replyTo: string };

/**
 * Opens the modal before it asks anybody anything, checks who that is, works in the admin's name, and shows in the modal
 * what stopped the work.
 */
export async function withModal(
  opening: Opening,
  ports: AdmitPorts & ModalPorts,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const modal = await openModal(opening, ports);
  if (!modal) return;
  try {
    const { caller, openSession } = await admit(opening, ports);
    await work({ modal, caller, session: await openSession(), replyTo: opening.replyTo });
  } catch (error) {
    await modal.showFailure(error);
  }
}

/** Undefined where it could not be opened, which was said. */
async function openModal(opening: Opening, ports: ModalPorts): Promise<Modal | undefined> {
  const { viewId, topic } = opening;
  const loading = buildLoadingModal(topic);
  if (viewId === undefined) {
    const window = await openWindow(opening, loading, ports);
    return window && toModal(window, opening, ports);
  }
  const modal = toModal(windowOf({ ...opening, viewId }, ports), opening, ports);
  await modal.show(loading);
  return modal;
}

/** `say` carries the sign-in button, which works in messages only. */
export function toModal({ show }: Window, { say, topic }: { say: Say; topic: ModalTopic }, ports: FailurePorts): Modal {
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
export function toProblem(sentence: string, topic: ModalTopic): ViewResponseAction {
  return { response_action: 'update', view: buildProblemModal(sentence, topic) };
}
