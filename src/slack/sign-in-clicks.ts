import type { BlockButtonAction } from '@slack/bolt';
import { type Person, toPersonKey } from '../conversation/question.ts';
import type { AccountLink, ExpiringStore, Purpose } from '../identity/account-link.ts';
import type { Ticket } from '../identity/link-ticket.ts';
import type { Texts } from '../languages/english.ts';
import type { AnswerClicks } from './answer-clicks.ts';
import { buildSignedIn, buildSignedInModal, PROMPT_BLOCK } from './views/sign-in.ts';
import { type WindowPorts, windowOf } from './window.ts';

/** What people clicked to sign in. Once they have signed in, the prompt and the window with the link say so. */
export type SignInClicks = {
  /** Keeps the latest click of a person. `viewId`: the window with the link. Throws StoreUnavailableError. */
  keep(ticket: Ticket, body: BlockButtonAction, viewId: string): Promise<void>;
  /**
   * `goesOn`: what waited for it is carried out now. Best effort: what Slack refuses is logged. Throws
   * StoreUnavailableError.
   */
  settle(link: AccountLink, texts: Texts, goesOn: boolean): Promise<void>;
};

type Kept = { body: object; viewId: string; isPrompt: boolean };

/** As long as Slack accepts a `response_url`. */
const LIFE_MS = 30 * 60_000;

type Ports = WindowPorts & {
  clicks: Pick<AnswerClicks, 'replace'>;
  once: Pick<ExpiringStore, 'put' | 'take'>;
  now(): number;
};

export function createSignInClicks(ports: Ports): SignInClicks {
  const { clicks, once, now } = ports;
  return {
    async keep(
      { person, workspace, purpose },
      { enterprise, user, channel, container, response_url, actions },
      viewId,
    ) {
      const body = { team: { id: workspace }, enterprise, user, channel, container, response_url };
      const kept: Kept = { body, viewId, isPrompt: actions[0]?.block_id === PROMPT_BLOCK };
      await once.put(toKey(person, purpose), JSON.stringify(kept), now() + LIFE_MS);
    },
    async settle(link, texts, goesOn) {
      const text = await once.take(toKey(link, link.purpose));
      if (text === undefined) return;
      const { body, viewId, isPrompt }: Kept = JSON.parse(text);
      await Promise.all([
        isPrompt && clicks.replace(body, buildSignedIn({ ...link, goesOn }, texts)),
        windowOf({ body, viewId, texts }, ports).show(buildSignedInModal({ ...link, goesOn }, texts)),
      ]);
    },
  };
}

function toKey(person: Person, purpose: Purpose): string {
  return `sign-in-click:${toPersonKey(person)}:${purpose}`;
}
