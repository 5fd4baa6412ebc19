import type { App, BlockButtonAction } from '@slack/bolt';
import { toPersonKey } from '../../conversation/person.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS } from '../views/content.ts';
import { answerClick } from './answer-click.ts';
import type { ListenerPorts } from './listener-ports.ts';

const NOT_YOURS = 'Only the person who asked can cancel the question.';
const TOO_LATE = 'It is too late to cancel that question: it is done already.';

/** *Cancel the question*, under the line that tells that it waits. */
export function registerCancelWaiting(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.cancelWaiting }, (click) =>
    answerClick(click, ports, async () => {
      const turn = await ports.turns.get(click.body.actions[0]?.value ?? '');
      const { team } = await installationOf(click.body, ports);
      const isTheirs = turn && toPersonKey(turn.question.asker) === toPersonKey({ team, user: click.body.user.id });
      if (turn && !isTheirs) return NOT_YOURS;
      return turn && (await ports.endTurn(turn.id, 'stopped')) ? undefined : TOO_LATE;
    }),
  );
}
