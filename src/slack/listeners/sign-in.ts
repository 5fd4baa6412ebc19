import type { App, BlockButtonAction } from '@slack/bolt';
import { StoreUnavailableError } from '../../errors.ts';
import type { Ticket } from '../../identity/link-ticket.ts';
import type { Texts } from '../../languages/english.ts';
import { ACTIONS, toTextContent } from '../views/content.ts';
import { buildProblemModal, type ModalTopic } from '../views/modal.ts';
import { buildSignedIn, buildSignedInModal, buildSignInModal, PROMPT_BLOCK } from '../views/sign-in.ts';
import { type Click, onButton, onWindowButton } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/** *Sign in* creates a link for whoever presses it, *Disconnect* deletes a sign-in. */
export function registerSignIn(app: App, ports: ListenerPorts): void {
  onWindowButton(app, ACTIONS.signIn, ports, {
    topic: toSignInTopic,
    failed: ({ signIn }) => signIn.window.failed,
    async fill(click, texts, viewId) {
      const { body } = click;
      const ticket = { ...toTicket(click), app: body.api_app_id };
      try {
        const link = await findDone(ticket, body);
        if (link) {
          await ports.clicks.replace(body, buildSignedIn(link, texts));
          return buildSignedInModal(link, texts);
        }
        await ports.signInClicks.keep(ticket, body, viewId);
        return buildSignInModal(await ports.linkFlow.issueTicket(ticket), texts);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        return buildProblemModal(texts.controls.nothingWasDone, toSignInTopic(texts), texts);
      }
    },
  });

  onButton(app, ACTIONS.signOut, ports, async (click) => {
    const { person, purpose } = toTicket(click);
    const ended = await ports.linkFlow.unlink(person, purpose);
    return ({ signIn }) => ({
      replacement: toTextContent(ended.length > 0 ? signIn.disconnected : signIn.nothingToDisconnect),
    });
  });

  /** The person's sign-in, if it is newer than this prompt: ephemeral prompts stay, because they cannot be edited later. */
  async function findDone({ person, purpose }: Ticket, { actions, container }: BlockButtonAction) {
    if (actions[0]?.block_id !== PROMPT_BLOCK) return undefined;
    const link = await ports.links.get({ ...person, purpose });
    const isDone = link && link.sealedTokens !== '' && Number(container.message_ts) * 1_000 < link.linkedAt;
    return isDone ? link : undefined;
  }
}

export function toSignInTopic({ signIn: { window } }: Texts): ModalTopic {
  return { id: 'sign_in', title: window.title, loading: window.loading };
}

function toTicket({ by: { person, workspace }, value }: Click) {
  const purpose = value === 'admin' ? ('admin' as const) : ('assistant' as const);
  return { person, workspace, purpose };
}
