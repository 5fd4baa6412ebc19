import type { App, BlockButtonAction } from '@slack/bolt';
import { UserError } from '../../errors.ts';
import type { Purpose } from '../../identity/account-link.ts';
import { ACTIONS, CALLBACKS } from '../views/content.ts';
import { buildCodeModal, buildSignInModal, CODE_BLOCK } from '../views/sign-in.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { NOTHING_WAS_DONE, orSayNothingWasDone } from './nothing-was-done.ts';

/** *Sign in* makes a fresh link for whoever presses it; *Disconnect* ends a link. */
export function registerSignIn(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: ACTIONS.signIn },
    async ({ body, ack, client, respond }) => {
      await orSayNothingWasDone(
        async () => {
          const purpose = toPurpose(body.actions[0]?.value);
          const workspace = body.team?.id ?? '';
          const { team } = await ports.findInstallation(workspace);
          const url = await ports.linkFlow.issueTicket({ person: { team, user: body.user.id }, workspace, purpose });
          await client.views.open({ trigger_id: body.trigger_id, view: buildSignInModal(url) });
        },
        (text) => respond({ response_type: 'ephemeral', replace_original: false, text }),
      );
      await ack();
    },
  );

  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: ACTIONS.signOut },
    async ({ body, ack, respond }) => {
      const say = (text: string) => respond({ response_type: 'ephemeral', replace_original: false, text });
      await orSayNothingWasDone(async () => {
        const { team } = await ports.findInstallation(body.team?.id ?? '');
        const ended = await ports.linkFlow.unlink({ team, user: body.user.id }, toPurpose(body.actions[0]?.value));
        await say(ended.length > 0 ? 'Disconnected. Your sign-in is deleted here.' : 'You were not signed in.');
      }, say);
      await ack();
    },
  );

  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: ACTIONS.enterCode },
    async ({ body, ack, client }) => {
      const view = buildCodeModal(toPurpose(body.actions[0]?.value));
      await client.views.open({ trigger_id: body.trigger_id, view });
      await ack();
    },
  );

  app.view({ callback_id: CALLBACKS.confirmCode, type: 'view_submission' }, async ({ view, body, ack }) => {
    const code = view.state.values[CODE_BLOCK]?.[CODE_BLOCK]?.value ?? '';
    const showAtField = (text: string) => ack({ response_action: 'errors', errors: { [CODE_BLOCK]: text } });
    await orSayNothingWasDone(
      async () => {
        try {
          const { team } = await ports.findInstallation(body.team?.id ?? '');
          await ports.linkFlow.confirmCode({ team, user: body.user.id }, toPurpose(view.private_metadata), code);
          await ack();
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          await showAtField(error.message);
        }
      },
      () => showAtField(NOTHING_WAS_DONE),
    );
  });
}

function toPurpose(value: string | undefined): Purpose {
  return value === 'admin' ? 'admin' : 'assistant';
}
