import type { BlockButtonAction } from '@slack/bolt';
import { type Person, toPersonKey } from '../conversation/question.ts';
import type { PlacedMessage } from '../conversation/turn.ts';
import type { NewLink, Purpose } from '../identity/account-link.ts';
import type { Ticket } from '../identity/link-ticket.ts';
import type { Texts } from '../languages/english.ts';
import { type AnswerClicks, readClickedMessage } from './answer-clicks.ts';
import type { Uses } from './services.ts';
import { buildSignedIn, buildSignedInModal, PROMPT_BLOCK } from './views/sign-in.ts';
import { toCallCode } from './web/slack-errors.ts';
import { windowOf } from './window.ts';

type Kept = { body: object; viewId: string; isPrompt: boolean };

/** As long as Slack accepts a `response_url`. */
const LIFE_MS = 30 * 60_000;

type Needs = Uses<'call' | 'findInstallation' | 'messenger' | 'once' | 'now' | 'log'> & {
  clicks: Pick<AnswerClicks, 'replace'>;
};

export type SignInClicks = ReturnType<typeof createSignInClicks>;

/** Messages and windows that ask people to sign in. After the sign-in, all of them say that it is done. */
export function createSignInClicks(ports: Needs) {
  const { clicks, messenger, once, now, log } = ports;
  return {
    /** Keeps the latest click of a person. `viewId`: the window with the link. Throws StoreUnavailableError. */
    async keep({ person, workspace, purpose }: Ticket, click: BlockButtonAction, viewId: string): Promise<void> {
      const { enterprise, user, channel, container, response_url, actions } = click;
      const body = { team: { id: workspace }, enterprise, user, channel, container, response_url };
      const kept: Kept = { body, viewId, isPrompt: actions[0]?.block_id === PROMPT_BLOCK };
      await once.put(toKey(person, purpose), JSON.stringify(kept), now() + LIFE_MS);
    },
    /** Forgets the clicks of a person. Throws StoreUnavailableError. */
    async forget(person: Person): Promise<void> {
      await Promise.all([once.take(toKey(person, 'assistant')), once.take(toKey(person, 'admin'))]);
    },
    /**
     * `prompts`: the messages that asked to sign in for waiting questions. `goesOn`: a waiting command is carried out now.
     * Best effort: refusals of Slack are logged. Throws StoreUnavailableError.
     */
    async settle(
      link: NewLink,
      { prompts, goesOn }: { prompts: PlacedMessage[]; goesOn: boolean },
      texts: Texts,
    ): Promise<void> {
      const done = buildSignedIn({ ...link, goesOn }, texts);
      const text = await once.take(toKey(link, link.purpose));
      const kept: Kept | undefined = text === undefined ? undefined : JSON.parse(text);
      const clicked = kept && readClickedMessage(kept.body)?.ts;
      const updates = prompts
        .filter(({ ts }) => ts !== clicked)
        .map(({ channel, ts }) => messenger.update({ workspace: link.workspace, channel }, ts, done, 'notice'));
      const results = await Promise.allSettled([
        ...updates,
        kept?.isPrompt && clicks.replace(kept.body, done),
        kept && windowOf({ ...kept, texts }, ports).show(buildSignedInModal({ ...link, goesOn }, texts)),
      ]);
      for (const result of results) {
        if (result.status === 'rejected') log.info({ code: toCallCode(result.reason) }, 'sign-in prompt not settled');
      }
    },
  };
}

function toKey(person: Person, purpose: Purpose): string {
  return `sign-in-click:${toPersonKey(person)}:${purpose}`;
}
