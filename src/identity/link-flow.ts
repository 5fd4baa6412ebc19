import type { Person } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  type AccountLink,
  type ChannelAnswers,
  type ClaimStore,
  type LinkKey,
  type LinkStore,
  type Purpose,
  replaceLink,
  type SavedLink,
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
import { createStep, type IdentityProvider, type SignedInAccount } from './identity-provider.ts';
import { namingTicket, refuseCallbackError } from './link-refusals.ts';
import {
  type Bound,
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

/** The two accounts that the person confirms. `accountName`: undefined if the id token has none. */
export type LinkPair = Pick<LinkDraft, 'ticket' | 'accountName'>;

/** `undoSecret` lets the same browser undo the link. */
export type Confirmation = { pair: LinkPair; undoSecret: string };

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

/** `linkedAt` distinguishes the link from a later one. */
type Undo = { ticket: Ticket; linkedAt: number };

const PURPOSES = ['assistant', 'admin'] as const satisfies Purpose[];

export type LinkFlow = ReturnType<typeof createLinkFlow>;

/** The sign-in, step by step. Unless stated otherwise, a refusal is a LinkRefusedError and nothing is linked. */
export function createLinkFlow(options: LinkFlowOptions) {
  const { publicUrl, once, links, vault, identityProvider, slackSignIn, directory, onEnded, onSignIn, now, log } =
    options;
  const tickets = createTicketBook(once, now);
  /** The first step of a ticket that is used up: another click on Continue, in this browser, leads to the same page. */
  const begun = createBrowserBound<PendingStep>('link-begun', options);
  const steps = {
    slack: createBrowserBound<PendingStep>('link-step:slack', options),
    account: createBrowserBound<PendingStep>('link-step:account', options),
  };
  const drafts = createBrowserBound<LinkDraft>('link-draft', options);
  const undos = createBrowserBound<Undo>('link-undo', options);

  /** Reports a failed sign-in. On success reports `end`, if given. */
  async function watch<T>(work: Promise<T>, end?: SignInResult): Promise<T> {
    try {
      const result = await work;
      if (end) onSignIn?.(end);
      return result;
    } catch (error) {
      onSignIn?.(toSignInResult(error));
      throw error;
    }
  }

  function createStepTo(name: StepName, intent: SignInIntent): PendingStep {
    return { ...intent, ...createStep(`${publicUrl}/link/${name}/callback`) };
  }

  const keep = (name: StepName, step: PendingStep, cookie: string) =>
    steps[name].put(step, { secret: step.state, cookie });

  async function depart(name: StepName, step: PendingStep, cookie: string): Promise<SignInRedirect> {
    const { workspace, purpose } = step.ticket;
    const url =
      name === 'slack'
        ? await slackSignIn.buildSignInUrl(workspace, step)
        : await identityProvider.buildSignInUrl(purpose, step);
    return { url, cookie };
  }

  async function findIntent(secret: string): Promise<SignInIntent | undefined> {
    const ticket = await tickets.peek(secret);
    if (!ticket) return undefined;
    const link = await links.get({ ...ticket.person, purpose: 'assistant' });
    return { ticket, channelAnswers: link?.channelAnswers ?? 'thread' };
  }

  async function preview(secret: string): Promise<SignInIntent> {
    const intent = await findIntent(secret);
    if (!intent) throw new LinkRefusedError('ticket_unknown');
    return intent;
  }

  /** Of several clicks in one browser the first counts, and all lead to its step. */
  async function begin(bound: Bound, chosen?: ChannelAnswers): Promise<SignInRedirect> {
    const intent = await findIntent(bound.secret);
    const step = intent
      ? await useTicket({ ...intent, ...(chosen && { channelAnswers: chosen }) }, bound)
      : await begun.find(bound);
    if (!step) throw new LinkRefusedError('ticket_unknown');
    return namingTicket(step.ticket, () => depart('slack', step, bound.cookie));
  }

  function useTicket(intent: SignInIntent, bound: Bound): Promise<PendingStep> {
    return namingTicket(intent.ticket, async () => {
      const step = await begun.claim(createStepTo('slack', intent), bound);
      await keep('slack', step, bound.cookie);
      // Last: a click that finds no ticket any more finds the step.
      await tickets.take(bound.secret);
      return step;
    });
  }

  /** `goOn`: the next step after a valid callback. */
  async function finish(
    name: StepName,
    { callback, cookie = '' }: Callback,
    goOn: (step: PendingStep, cookie: string) => Promise<SignInRedirect>,
  ): Promise<SignInRedirect> {
    const step = await steps[name].take({ secret: callback.get('state'), cookie });
    return namingTicket(step.ticket, async () => {
      refuseCallbackError(name, callback, step.ticket);
      return goOn(step, cookie);
    });
  }

  const finishSlack = (callback: Callback) =>
    finish('slack', callback, async (step, cookie) => {
      const { ticket, channelAnswers } = step;
      if (!(await slackSignIn.finish(callback.callback, step, ticket))) throw new LinkRefusedError('wrong_person');
      const next = createStepTo('account', { ticket, channelAnswers });
      await keep('account', next, cookie);
      return depart('account', next, cookie);
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

  async function confirm(presented: Presented): Promise<Confirmation> {
    const draft = await drafts.take(presented);
    const { linkedAt } = await completeLink(draft);
    const undoSecret = createSecret();
    const bound = { secret: undoSecret, cookie: presented.cookie ?? '' };
    // The link is stored: a failure here must not look like a failed sign-in.
    await undos.put({ ticket: draft.ticket, linkedAt }, bound).catch((error: unknown) => {
      log.warn({ err: error }, 'undo of a new link not possible');
    });
    return { undoSecret, pair: toPair(draft) };
  }

  /**
   * Stores the link, replacing any other for this person and purpose, because the latest sign-in counts. `onLinked` is not
   * awaited: a browser is waiting.
   */
  async function completeLink({ ticket, tokens, ...rest }: LinkDraft): Promise<Pick<AccountLink, 'linkedAt'>> {
    const key = keyOf(ticket);
    const { workspace } = ticket;
    const sealedTokens = sealTokens(vault, key, tokens);
    const link = { schema: 1 as const, ...key, workspace, ...rest, sealedTokens, linkedAt: now() };
    const saved = await replaceLink(links, { key, stored: await links.get(key) }, () => link);
    log.info({ ...key, replaced: saved.previous !== undefined }, 'account linked');
    options.inBackground(async () => {
      // Independent: a failure of one must not prevent the other.
      await Promise.all([noteAccount(saved), options.onLinked(saved)]).catch((error: unknown) => {
        log.warn({ err: error }, 'the announcement of a new link failed, the link is stored');
      });
    });
    return saved.link;
  }

  /** After a sign-in with another account, forgets the previous one. */
  async function noteAccount({ link, previous }: SavedLink): Promise<void> {
    await directory.remember(link);
    if (previous) await directory.forget(previous);
  }

  return {
    /** The URL to show to this person and nobody else. Valid for one sign-in within 10 min. */
    issueTicket: async (ticket: Ticket) => `${publicUrl}/link/start?ticket=${await tickets.issue(ticket)}`,
    /** Changes nothing. `channelAnswers`: the choice to propose. */
    preview: (secret: string) => watch(preview(secret)),
    /** Uses up the ticket. `chosen`: default as proposed. Another click of the same browser gets the same redirect. */
    begin: (bound: Bound, chosen?: ChannelAnswers) => watch(begin(bound, chosen)),
    finishSlack: (callback: Callback) => watch(finishSlack(callback)),
    /** Leads to the page with both names. Nothing is linked yet. */
    finishAccount: (callback: Callback) => watch(finishAccount(callback)),
    /** For the page with both names. `replaced`: the current link, if it is of another account. Changes nothing. */
    async review(presented: Presented): Promise<LinkPair & { replaced: AccountLink | undefined }> {
      const draft = await drafts.peek(presented);
      const known = await links.get(keyOf(draft.ticket));
      const isReplaced = known !== undefined && known.sealedTokens !== '' && isOtherAccount(known, draft);
      return { ...toPair(draft), replaced: isReplaced ? known : undefined };
    },
    /** The person has seen both names and wants them connected. Works once. */
    confirm: (presented: Presented) => watch(confirm(presented), 'signed_in'),
    /** The person does not want the link. Deletes the tokens. */
    decline: (presented: Presented): Promise<LinkPair> => watch(drafts.take(presented).then(toPair), 'declined'),
    /** Removes the link of `confirm`, once, within 10 min. Undefined: it is gone, or another sign-in has replaced it. */
    async undo(presented: Presented): Promise<Ticket | undefined> {
      const { ticket, linkedAt } = await undos.take(presented);
      const key = keyOf(ticket);
      for (;;) {
        const link = await links.get(key);
        if (link?.linkedAt !== linkedAt) return undefined;
        // It may have been saved meanwhile: with refreshed tokens, or by another sign-in, which has to stay.
        if (!(await links.deleteUnchanged(link))) continue;
        log.info({ purpose: key.purpose }, 'account link undone');
        await directory.forget(link);
        await onEnded?.(key);
        return ticket;
      }
    },
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

type NamedAccount = Pick<LinkDraft, 'account' | 'accountName'>;

/** Two accounts may have one name, and an account may be renamed. So names decide only if the accounts are unknown. */
function isOtherAccount(one: NamedAccount, other: NamedAccount): boolean {
  const verdict = compareAccounts(one.account, other.account);
  return verdict === 'unknown' ? one.accountName !== other.accountName : verdict === 'different';
}

function toPair({ ticket, accountName }: LinkDraft): LinkPair {
  return { ticket, ...(accountName !== undefined && { accountName }) };
}

function toSignInResult(error: unknown): SignInResult {
  if (faultOf(error) || error instanceof IdentityProviderMisconfiguredError) return 'misconfigured';
  if (error instanceof LinkRefusedError) return LINK_REFUSALS[error.reason].result;
  return error instanceof TransientError ? 'unavailable' : 'failed';
}
