import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { StoreUnavailableError } from '../../errors.ts';
import type { Purpose } from '../../identity/account-link.ts';
import { LinkCodeError } from '../../identity/identity-errors.ts';
import { installationOf } from '../installations/request-source.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS, toTextContent } from '../views/content.ts';
import { buildLoadingModal, buildProblemModal, type ModalTopic } from '../views/modal.ts';
import { buildCodeModal, buildSignInModal, CODE_BLOCK } from '../views/sign-in.ts';
import { answerClick, answerWithWindow } from './answer-buttons.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './assistant-command.ts';
import type { ListenerPorts } from './message.ts';

const DISCONNECTED = 'Disconnected. Your sign-in is deleted here.';
const NOT_SIGNED_IN = 'You were not signed in any more, so there was nothing to disconnect.';

const TOPIC: ModalTopic = { id: 'sign_in', title: 'Sign in', loading: 'Making your link…' };

const FAILED = 'Something failed on my side, so there is no link yet. Close this window, and press Sign in again.';

/** *Sign in* creates a link for whoever presses it, *Disconnect* deletes a sign-in, *Enter code* confirms one. */
export function registerSignIn(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signIn }, (click) =>
    answerWithWindow(click, ports, buildLoadingModal(TOPIC), () => buildLink(click.body)),
  );

  async function buildLink(body: BlockButtonAction): Promise<ModalView> {
    try {
      return buildSignInModal(await ports.linkFlow.issueTicket(await readClick(body)));
    } catch (error) {
      if (error instanceof StoreUnavailableError) return buildProblemModal(NOTHING_WAS_DONE, TOPIC);
      ports.log.error({ err: error }, 'sign-in link not made');
      return buildProblemModal(FAILED, TOPIC);
    }
  }

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signOut }, (click) =>
    answerClick(click, ports, async () => {
      const { person, purpose } = await readClick(click.body);
      const ended = await ports.linkFlow.unlink(person, purpose);
      return { replacement: toTextContent(ended.length > 0 ? DISCONNECTED : NOT_SIGNED_IN) };
    }),
  );

  async function readClick(body: BlockButtonAction) {
    const { team, workspace } = await installationOf(body, ports);
    return { person: { team, user: body.user.id }, workspace, purpose: toPurpose(body.actions[0]?.value) };
  }

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.enterCode }, (click) =>
    answerWithWindow(click, ports, buildCodeModal(toPurpose(click.body.actions[0]?.value))),
  );

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
