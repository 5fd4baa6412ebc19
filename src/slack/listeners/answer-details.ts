import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { toPersonKey } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS } from '../views/content.ts';
import { buildDetailsWindow, toDetailsTopic } from '../views/details-window.ts';
import { buildLoadingModal, buildProblemModal } from '../views/modal.ts';
import { answerWithWindow } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

/** *Details* under an answer: a window that says how the answer came about, for the person who asked. */
export function registerAnswerDetails(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.details }, (click) =>
    answerWithWindow(
      click,
      ports,
      (texts) => buildLoadingModal(toDetailsTopic(texts), texts),
      (texts) => fill(click.body, texts, ports),
    ),
  );
}

async function fill(body: BlockButtonAction, texts: Texts, ports: ListenerPorts): Promise<ModalView> {
  const { details } = texts;
  const topic = toDetailsTopic(texts);
  try {
    const turn = await ports.turns.get(body.actions[0]?.value ?? '');
    if (!turn) return buildProblemModal(details.tooOld, topic, texts);
    const { team, workspace } = await installationOf(body, ports);
    const user = body.user.id;
    if (toPersonKey({ team, user }) !== toPersonKey(turn.question.asker)) {
      return buildProblemModal(details.notYours, topic, texts);
    }
    const profileZone = await ports.people.timeZoneSoon(workspace, user);
    return buildDetailsWindow(turn, body.message, { profileZone, defaultZone: ports.defaultTimeZone }, texts);
  } catch (error) {
    ports.log.warn({ err: error }, 'details not shown');
    return buildProblemModal(details.failed, topic, texts);
  }
}
