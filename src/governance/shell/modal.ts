import type { ViewResponseAction } from '@slack/bolt';
import type { AnyBlock, ModalView } from '@slack/types';
import { english } from '../../languages/english.ts';
import { buildLoadingModal, buildModal, buildProblemModal, type ModalTopic } from '../../slack/views/modal.ts';
import { letAnswerLead, openWindow, type Window, type WindowPorts, windowOf } from '../../slack/window.ts';
import { type Admin, type AdminCheck, type AdmitPorts, admit } from './access.ts';
import { type FailurePorts, toKeptFailure } from './failure-message.ts';
import type { Say } from './respond.ts';

/** A modal in front of an admin. Once it is closed, nothing more is shown. */
export type Modal = {
  show(view: ModalView): Promise<void>;
  /** Plain text, perhaps from outside. */
  showProblem(sentence: string): Promise<void>;
  showFailure(error: unknown): Promise<void>;
};

/** What modals are shown with. */
export type ModalPorts = WindowPorts & FailurePorts;

/**
 * `topic`: what the modal is about. `say`: for what a modal cannot show. `body`: the payload from Slack, with the trigger.
 * `viewId`: an open modal to use instead of a new one. `replyTo`: see respond.ts.
 */
export type Opening = {
  body: object;
  user: string;
  say: Say;
  replyTo: string;
  viewId?: string;
  topic: ModalTopic;
  check?: AdminCheck | undefined;
};

/**
 * An open modal and its admin. `openSession`: opens one session, however often it is called. `replyTo`: where to post the
 * outcome.
 */
export type Opened = Pick<Admin, 'caller' | 'openSession'> & { modal: Modal; replyTo: string };

/**
 * Opens the modal at once, because Slack's trigger expires after three seconds. Then checks the person, does the work, and
 * shows in the modal what stopped it.
 */
export async function withModal(
  opening: Opening,
  ports: AdmitPorts & ModalPorts,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const modal = await openModal(opening, ports);
  if (!modal) return;
  try {
    const admin = await admit(opening, ports, { isFresh: false, ...opening.check });
    let session: ReturnType<Opened['openSession']> | undefined;
    const openSession = () => {
      session ??= admin.openSession();
      return session;
    };
    await work({ modal, caller: admin.caller, openSession, replyTo: opening.replyTo });
  } catch (error) {
    await modal.showFailure(error);
  }
}

/** Undefined: it could not be opened, and the person was told. */
async function openModal(opening: Opening, ports: ModalPorts): Promise<Modal | undefined> {
  const { viewId, topic } = opening;
  const loading = buildLoadingModal(topic, english);
  if (viewId === undefined) {
    const window = await openWindow({ ...opening, texts: english }, loading, ports);
    return window && toModal(window, opening, ports);
  }
  const modal = toModal(windowOf({ ...opening, viewId, texts: english }, ports), opening, ports);
  await modal.show(loading);
  return modal;
}

/** `say` carries the sign-in button, which works in messages only. */
export function toModal({ show }: Window, { say, topic }: { say: Say; topic: ModalTopic }, ports: FailurePorts): Modal {
  return {
    show,
    showProblem: (sentence) => show(buildProblemModal(sentence, topic, english)),
    async showFailure(error) {
      const { sentence, content, needsMessage } = await toKeptFailure(error, ports);
      await show(buildProblemModal(sentence, topic, english));
      if (needsMessage) await say(content);
    },
  };
}

/** The answer to a submission that cannot go on. `sentence`: plain text, perhaps from outside. */
export function toProblem(sentence: string, topic: ModalTopic): ViewResponseAction {
  return { response_action: 'update', view: buildProblemModal(sentence, topic, english) };
}

/** Where the outcome of a submission is shown. `modal` waits until Slack shows the answer to it. */
export type Place = { say: Say; modal: Modal };

/** Call it when the submission is acknowledged. */
export function placeAfterAnswer(modal: Modal, say: Say): Place {
  const lead = letAnswerLead();
  return {
    say,
    modal: {
      show: (view) => lead.then(() => modal.show(view)),
      showProblem: (sentence) => lead.then(() => modal.showProblem(sentence)),
      showFailure: (error) => lead.then(() => modal.showFailure(error)),
    },
  };
}

/** The last modal: closing it also closes the form below, because that is out of date. */
export function buildEndModal(callbackId: string, title: string, blocks: AnyBlock[]): ModalView {
  return { ...buildModal({ id: callbackId, title }, blocks, english), clear_on_close: true };
}
