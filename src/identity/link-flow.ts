import type { Person } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  type AccountLink,
  type ChannelAnswers,
  type ClaimStore,
  type LinkKey,
  type LinkStore,
  type NewLink,
  type Purpose,
  replaceLink,
  type SavedLink,
  type TokenSet,
} from './account-link.ts';
import { faultOf } from './configuration-fault.ts';
import { compareAccounts, type Directory } from './directory.ts';
import {
  AuthorizationEndedError,
  IdentityProviderMisconfiguredError,
  LINK_REFUSALS,
  LinkRefusedError,
  type SignInResult,
} from './identity-errors.ts';
import { createStep, type IdentityProvider, type SignedInAccount, type SignInStep } from './identity-provider.ts';
import { namingTicket, refuseCallbackError } from './link-refusals.ts';
import {
  createBrowserBound,
  createTicketBook,
  keyOf,
  type LinkDraft,
  type PendingStep,
  type Presented,
  type SignInIntent,
  type StepName,
  type Ticket,
} from './link-ticket.ts';
import { createSecret } from './secret.ts';
import type { SlackSignIn } from './slack-sign-in.ts';
import { sealTokens, type TokenVault } from './token-vault.ts';

/** Where the browser goes next, and the cookie that binds the rest of the sign-in to this browser. */
type SignInRedirect = { url: string; cookie: string };

/** The two accounts that the person confirms, and how it ended. `accountName`: undefined if the id token has none. */
export type LinkPair = Pick<LinkDraft, 'ticket' | 'accountName' | 'end'>;

export type LinkFlowOptions = {
  /** Without a slash at the end, as all addresses of the configuration. */
  publicUrl: string;
  once: ClaimStore;
  links: LinkStore;
  vault: TokenVault;
  identityProvider: IdentityProvider;
  /** Proves that the browser belongs to the person whom the ticket was made for. */
  slackSignIn: SlackSignIn;
  directory: Directory;
  /** Called after the link is stored: sends the receipt and wakes parked questions. Its errors are logged. */
  onLinked: (saved: SavedLink) => Promise<void>;
  /** Runs what the browser does not wait for. A stop waits for it. */
  inBackground: (work: () => Promise<void>) => void;
  /** Called for each link that its person removes. Never throws. */
  onEnded?: ((key: LinkKey) => Promise<void>) | undefined;
  /** Called with the result of each sign-in. */
  onSignIn?: ((result: SignInResult) => void) | undefined;
  now: () => number;
  log: Log;
};

const PURPOSES = ['assistant', 'admin'] as const satisfies Purpose[];

export type LinkFlow = ReturnType<typeof createLinkFlow>;

/** The sign-in, step by step. Unless stated otherwise, a refusal is a LinkRefusedError and nothing is linked. */
export function createLinkFlow(options: LinkFlowOptions) {
  const { publicUrl, once, links, vault, identityProvider, slackSignIn, directory, onEnded, onSignIn, now, log } =
    options;
  const tickets = createTicketBook(once, now);
  /** By the ticket: another click on Continue, in this browser, leads to the same page of Slack. */
  const begun = createBrowserBound<SignInStep>('link-begun', options);
  const steps = {
    slack: createBrowserBound<PendingStep>('link-step:slack', options),
    account: createBrowserBound<PendingStep>('link-step:account', options),
  };
  const drafts = createBrowserBound<LinkDraft>('link-draft', options);
  /** By state and cookie: a callback that this browser repeats meanwhile gets the answer to the first. */
  const running = new Map<string, Promise<SignInRedirect>>();

  /** Reports a failed sign-in. */
  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      onSignIn?.(toSignInResult(error));
      throw error;
    }
  }

  async function depart(name: StepName, step: PendingStep, cookie: string): Promise<SignInRedirect> {
    await steps[name].put(step, { secret: step.state, cookie });
    const { workspace, purpose } = step.ticket;
    const url =
      name === 'slack'
        ? await slackSignIn.buildSignInUrl(workspace, step)
        : await identityProvider.buildSignInUrl(purpose, step);
    return { url, cookie };
  }

  const createStepTo = (name: StepName) => createStep(`${publicUrl}/link/${name}/callback`);

  async function preview(presented: Presented): Promise<SignInIntent> {
    const ticket = await tickets.peek(presented.secret ?? '');
    if (!ticket) throw new LinkRefusedError('ticket_unknown');
    await begun.find(presented);
    const chosen = await links.get({ ...ticket.person, purpose: 'assistant' });
    return { ticket, channelAnswers: chosen?.channelAnswers ?? 'thread' };
  }

  async function begin(bound: { secret: string; cookie: string }, chosen?: ChannelAnswers): Promise<SignInRedirect> {
    const { ticket, channelAnswers } = await preview(bound);
    return namingTicket(ticket, async () => {
      const step = await begun.claim(createStepTo('slack'), bound);
      return depart('slack', { ticket, channelAnswers: chosen ?? channelAnswers, ...step }, bound.cookie);
    });
  }

  /** `goOn`: the next step after a valid callback. */
  function finish(name: StepName, { callback, cookie = '' }: Callback, goOn: GoOn): Promise<SignInRedirect> {
    async function run(): Promise<SignInRedirect> {
      const step = await steps[name].take({ secret: callback.get('state'), cookie });
      return namingTicket(step.ticket, async () => {
        refuseCallbackError(name, callback, step.ticket);
        return goOn(step, cookie);
      });
    }
    const key = `${callback.get('state')} ${cookie}`;
    const answer = running.get(key) ?? watch(run()).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  }

  const finishSlack = (callback: Callback) =>
    finish('slack', callback, async (step, cookie) => {
      const { ticket, channelAnswers } = step;
      if (!(await slackSignIn.finish(callback.callback, step, ticket))) throw new LinkRefusedError('wrong_person');
      return depart('account', { ticket, channelAnswers, ...createStepTo('account') }, cookie);
    });

  const finishAccount = (callback: Callback) =>
    finish('account', callback, async (step, cookie) => {
      const { ticket, channelAnswers } = step;
      const account = await redeem(callback.callback, step);
      const secret = createSecret();
      await drafts.put({ ticket, channelAnswers, ...account }, { secret, cookie });
      return { url: `${publicUrl}/link/confirm?draft=${secret}`, cookie };
    });

  async function redeem(callback: URLSearchParams, step: PendingStep): Promise<SignedInAccount> {
    try {
      return await identityProvider.exchange(step.ticket.purpose, callback, step);
    } catch (error) {
      // An expired code ends this sign-in only, not an existing authorization.
      if (error instanceof AuthorizationEndedError) throw new LinkRefusedError('provider_failed', { cause: error });
      throw error;
    }
  }

  async function connect(presented: Presented): Promise<LinkDraft> {
    const draft = await drafts.change(presented, (it) => (it.end || it.linkedAt ? it : { ...it, linkedAt: now() }));
    if (draft.end || !draft.tokens || !draft.linkedAt) return draft;
    await completeLink(draft, draft.tokens, draft.linkedAt);
    return settle(presented, 'connected').catch((error: unknown) => {
      // The link is stored: a failure here must not look like a failed sign-in.
      log.warn({ err: error }, 'a link is stored, its page may ask again');
      return { ...draft, end: 'connected' as const };
    });
  }

  /** The first choice counts, and deletes the tokens. */
  async function settle(presented: Presented, end: 'connected' | 'cancelled'): Promise<LinkDraft> {
    let isFirst = false;
    const draft = await drafts.change(presented, (it) => {
      isFirst = !it.end;
      return withEnd(it, it.end ?? end);
    });
    if (draft.end !== 'cancelled') return draft;
    if (isFirst) onSignIn?.('declined');
    // Connect may have failed halfway before, or be under way.
    await removeLink(draft);
    return draft;
  }

  /**
   * Stores the link, replacing any other for this person and purpose, because the latest sign-in counts. Does nothing if
   * another click has stored it. `onLinked` is not awaited: a browser is waiting.
   */
  async function completeLink(draft: LinkDraft, tokens: TokenSet, linkedAt: number): Promise<void> {
    const { ticket, channelAnswers, account, accountName } = draft;
    const key = keyOf(ticket);
    const { workspace } = ticket;
    const named = { ...(accountName !== undefined && { accountName }), ...(account !== undefined && { account }) };
    const sealedTokens = sealTokens(vault, key, tokens);
    const link: NewLink = { schema: 1, ...key, workspace, channelAnswers, ...named, sealedTokens, linkedAt };
    const saved = await replaceLink(links, { key, stored: await links.get(key) }, (stored) =>
      stored?.linkedAt === linkedAt ? stored : link,
    );
    if (saved.link !== link) return;
    onSignIn?.('signed_in');
    log.info({ ...key, replaced: saved.previous !== undefined }, 'account linked');
    options.inBackground(async () => {
      // Independent: a failure of one must not prevent the other.
      await Promise.all([noteAccount(saved), options.onLinked(saved)]).catch((error: unknown) => {
        log.warn({ err: error }, 'the announcement of a new link failed, the link is stored');
      });
    });
  }

  /** Removes the link that this sign-in has made. False: it is gone, or another sign-in has replaced it. */
  async function removeLink({ ticket, linkedAt }: LinkDraft): Promise<boolean> {
    const key = keyOf(ticket);
    for (;;) {
      const link = linkedAt === undefined ? undefined : await links.get(key);
      if (!link || link.linkedAt !== linkedAt) return false;
      // It may have been saved meanwhile: with refreshed tokens, or by another sign-in, which has to stay.
      if (!(await links.deleteUnchanged(link))) continue;
      log.info({ purpose: key.purpose }, 'account link undone');
      await directory.forget(link);
      await onEnded?.(key);
      return true;
    }
  }

  async function undo(presented: Presented): Promise<Ticket | undefined> {
    let isRepeated = false;
    const draft = await drafts.change(presented, (it) => {
      isRepeated = it.end === 'undone';
      return it.end === 'cancelled' || !it.linkedAt ? it : withEnd(it, 'undone');
    });
    const isRemoved = (await removeLink(draft)) || (isRepeated && !(await links.get(keyOf(draft.ticket))));
    return isRemoved ? draft.ticket : undefined;
  }

  /** After a sign-in with another account, forgets the previous one. */
  async function noteAccount({ link, previous }: SavedLink): Promise<void> {
    await directory.remember(link);
    if (previous) await directory.forget(previous);
  }

  return {
    /** The URL to show to this person and nobody else. Valid in one browser, for 10 min. */
    issueTicket: async (ticket: Ticket) => `${publicUrl}/link/start?ticket=${await tickets.issue(ticket)}`,
    /** For the page of the link. Changes nothing. `channelAnswers`: the choice to propose. */
    preview: (presented: Presented) => watch(preview(presented)),
    /** Binds the ticket to this browser, which may begin again. `chosen`: default as proposed. */
    begin: (bound: { secret: string; cookie: string }, chosen?: ChannelAnswers) => watch(begin(bound, chosen)),
    finishSlack,
    /** Leads to the page with both names. Nothing is linked yet. */
    finishAccount,
    /** For the page with both names. `replaced`: the current link, if it is of another account. Changes nothing. */
    async review(presented: Presented): Promise<LinkPair & { replaced: AccountLink | undefined }> {
      const draft = await drafts.peek(presented);
      const known = await links.get(keyOf(draft.ticket));
      const isReplaced = known !== undefined && known.sealedTokens !== '' && isOtherAccount(known, draft);
      return { ...toPair(draft), replaced: isReplaced ? known : undefined };
    },
    /** The person has seen both names and wants them connected. Another click gets the same answer. */
    confirm: (presented: Presented) => watch(connect(presented).then(toPair)),
    /** The person does not want the link. Deletes the tokens. */
    decline: (presented: Presented) => watch(settle(presented, 'cancelled').then(toPair)),
    /** Removes the link of `confirm`, within 10 min. Undefined: it is gone, or another sign-in has replaced it. */
    undo,
    /**
     * Deletes one or all links with their tokens, and returns which existed. The contract has no revocation: at the
     * identity provider the tokens expire by themselves.
     */
    async unlink(person: Person, purpose?: Purpose): Promise<Purpose[]> {
      const removed: AccountLink[] = [];
      for (const each of purpose ? [purpose] : PURPOSES) {
        const link = await links.get({ ...person, purpose: each });
        if (!link) continue;
        await links.delete(link);
        removed.push(link);
      }
      for (const link of removed) await directory.forget(link);
      for (const link of removed) await onEnded?.({ ...person, purpose: link.purpose });
      return removed.map((link) => link.purpose);
    },
  };
}

/** `cookie`: of the browser that sent the callback. */
type Callback = { callback: URLSearchParams; cookie: string | undefined };

type GoOn = (step: PendingStep, cookie: string) => Promise<SignInRedirect>;

type NamedAccount = Pick<LinkDraft, 'account' | 'accountName'>;

/** Two accounts may have one name, and an account may be renamed. So names decide only if the accounts are unknown. */
function isOtherAccount(one: NamedAccount, other: NamedAccount): boolean {
  const verdict = compareAccounts(one.account, other.account);
  return verdict === 'unknown' ? one.accountName !== other.accountName : verdict === 'different';
}

function withEnd({ tokens: _, ...draft }: LinkDraft, end: LinkDraft['end']): LinkDraft {
  return { ...draft, end };
}

function toPair({ ticket, accountName, end }: LinkDraft): LinkPair {
  return { ticket, ...(accountName !== undefined && { accountName }), ...(end && { end }) };
}

function toSignInResult(error: unknown): SignInResult {
  if (faultOf(error) || error instanceof IdentityProviderMisconfiguredError) return 'misconfigured';
  if (error instanceof LinkRefusedError) return LINK_REFUSALS[error.reason].result;
  return error instanceof TransientError ? 'unavailable' : 'failed';
}
