import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { StoreUnavailableError } from '../../errors.ts';
import type { Purpose } from '../../identity/account-link.ts';
import type { Ticket } from '../../identity/link-ticket.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import { ACTIONS, toTextContent } from '../views/content.ts';
import { buildLoadingModal, buildProblemModal, type ModalTopic } from '../views/modal.ts';
import { buildSignedIn, buildSignedInModal, buildSignInModal, PROMPT_BLOCK } from '../views/sign-in.ts';
import { answerClick, answerWithWindow } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

/** *Sign in* creates a link for whoever presses it, *Disconnect* deletes a sign-in. */
export function registerSignIn(app: App, ports: ListenerPorts): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signIn }, (click) =>
    answerWithWindow(
      click,
      ports,
      (texts) => buildLoadingModal(toSignInTopic(texts), texts),
      (texts, viewId) => buildLink(click.body, viewId, texts),
    ),
  );

  async function buildLink(body: BlockButtonAction, viewId: string, texts: Texts): Promise<ModalView> {
    const explain = (sentence: string) => buildProblemModal(sentence, toSignInTopic(texts), texts);
    try {
      const ticket = { ...(await readClick(body)), app: body.api_app_id };
      const link = await findDone(ticket, body);
      if (link) {
        await ports.clicks.replace(body, buildSignedIn(link, texts));
        return buildSignedInModal(link, texts);
      }
      await ports.signInClicks.keep(ticket, body, viewId);
      return buildSignInModal(await ports.linkFlow.issueTicket(ticket), texts);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return explain(texts.controls.nothingWasDone);
      ports.log.error({ err: error }, 'sign-in link not made');
      return explain(texts.signIn.window.failed);
    }
  }

  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.signOut }, (click) =>
    answerClick(click, ports, async () => {
      const { person, purpose } = await readClick(click.body);
      const ended = await ports.linkFlow.unlink(person, purpose);
      return ({ signIn }) => ({
        replacement: toTextContent(ended.length > 0 ? signIn.disconnected : signIn.nothingToDisconnect),
      });
    }),
  );

  /** The person's sign-in, if it was done after the prompt. Ephemeral prompts cannot be edited, so they stay. */
  async function findDone({ person, purpose }: Ticket, { actions, container }: BlockButtonAction) {
    if (actions[0]?.block_id !== PROMPT_BLOCK) return undefined;
    const link = await ports.links.get({ ...person, purpose });
    const isDone = link && link.sealedTokens !== '' && Number(container.message_ts) * 1_000 < link.linkedAt;
    return isDone ? link : undefined;
  }

  async function readClick(body: BlockButtonAction) {
    const { team, workspace } = await installationOf(body, ports);
    return { person: { team, user: body.user.id }, workspace, purpose: toPurpose(body.actions[0]?.value) };
  }
}

export function toSignInTopic({ signIn: { window } }: Texts): ModalTopic {
  return { id: 'sign_in', title: window.title, loading: window.loading };
}

function toPurpose(value: string | undefined): Purpose {
  return value === 'admin' ? 'admin' : 'assistant';
}
