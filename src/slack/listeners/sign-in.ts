import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Purpose } from '../../identity/account-link.ts';
import { LinkCodeError } from '../../identity/identity-errors.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS, CALLBACKS } from '../views/content.ts';
import { buildCodeModal, buildSignInModal, CODE_BLOCK } from '../views/sign-in.ts';
import { readSlackError } from '../web-client-error.ts';
import { answerClick } from './answer-click.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './nothing-was-done.ts';

/** *Sign in* makes a fresh link for whoever presses it; *Disconnect* ends a link. */
export function registerSignIn(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signIn }, (click) =>
    answerClick(click, ports, async () => {
      const { person, workspace, purpose } = await readClick(click.body);
      const url = await ports.linkFlow.issueTicket({ person, workspace, purpose });
      return openOrSay(click, buildSignInModal(url), 'Sign in');
    }),
  );

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signOut }, (click) =>
    answerClick(click, ports, async () => {
      const { person, purpose } = await readClick(click.body);
      const ended = await ports.linkFlow.unlink(person, purpose);
      return ended.length > 0 ? 'Disconnected. Your sign-in is deleted here.' : 'You were not signed in.';
    }),
  );

  async function readClick(body: BlockButtonAction) {
    const { team, workspace } = await installationOf(body, ports);
    return { person: { team, user: body.user.id }, workspace, purpose: toPurpose(body.actions[0]?.value) };
  }

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.enterCode }, (click) =>
    answerClick(click, ports, async () => {
      const view = buildCodeModal(toPurpose(click.body.actions[0]?.value));
      return openOrSay(click, view, 'Enter code');
    }),
  );

  /** Slack takes a trigger for three seconds only. Returns what to say where it did not. */
  async function openOrSay(
    { client, body }: { client: WebClient; body: BlockButtonAction },
    view: ModalView,
    button: string,
  ): Promise<string | undefined> {
    try {
      await client.views.open({ trigger_id: body.trigger_id, view });
      return undefined;
    } catch (error) {
      ports.log.warn({ slackError: readSlackError(error) }, 'modal not opened');
      return `Slack did not let me open the window in time. Press *${button}* again.`;
    }
  }

  app.view({ callback_id: CALLBACKS.confirmCode, type: 'view_submission' }, async ({ view, body, ack }) => {
    const code = view.state.values[CODE_BLOCK]?.[CODE_BLOCK]?.value ?? '';
    const showAtField = (text: string) => ack({ response_action: 'errors', errors: { [CODE_BLOCK]: text } });
    await orSayNothingWasDone(
      async () => {
        try {
          const { team } = await installationOf(body, ports);
          await ports.linkFlow.confirmCode({ team, user: body.user.id }, toPurpose(view.private_metadata), code);
          await ack();
        } catch (error) {
          if (!(error instanceof LinkCodeError)) throw error;
          await showAtField(describe(error));
        }
      },
      () => showAtField(NOTHING_WAS_DONE),
    );
  });
}

function describe({ triesLeft }: LinkCodeError): string {
  if (triesLeft > 0) return `That is not the code the page shows. You have ${triesLeft} tries left.`;
  return 'That code does not work any more. Press Sign in again for a new one.';
}

function toPurpose(value: string | undefined): Purpose {
  return value === 'admin' ? 'admin' : 'assistant';
}
