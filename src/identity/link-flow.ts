import type { Person } from '../conversation/question.ts';
import { withoutTrailingSlash } from '../http/web-address.ts';
import type { Log } from '../log.ts';
import {
  type AccountLink,
  type ChannelAnswers,
  type ExpiringStore,
  type LinkStore,
  type Purpose,
  replaceLink,
  type SavedLink,
} from './account-link.ts';
import { type BrowserBound, createBrowserBound, type Presented } from './browser-bound.ts';
import { compareAccounts } from './directory-account.ts';
import { AuthorizationEndedError, LinkRefusedError } from './identity-errors.ts';
import type { IdentityProvider, SignedInAccount } from './identity-provider.ts';
import { createLinkDrafts, type LinkDraft, type LinkDrafts } from './link-drafts.ts';
import { namingTicket, refuseCallbackError } from './link-refusals.ts';
import {
  createPendingSteps,
  createTicketBook,
  keyOf,
  type PendingStep,
  type PendingSteps,
  type SignInIntent,
  type Ticket,
  type TicketBook,
} from './link-ticket.ts';
import { createSecret } from './secret.ts';
import type { SlackSignIn } from './slack-sign-in.ts';
import { sealTokens, type TokenVault } from './token-vault.ts';

/** Where the browser goes next, and the cookie that binds the rest of the sign-in to it. */
type SignInRedirect = { url: string; cookie: string };

/** The two accounts that the person is asked about. `accountName`: undefined where the id token told none. */
export type LinkPair = Pick<LinkDraft, 'ticket' | 'accountName'>;

/** `undoSecret` lets the same browser undo it. */
export type Confirmation = { pair: LinkPair; undoSecret: string };

export type LinkFlowOptions = {
  publicUrl: string;
  once: ExpiringStore;
  links: LinkStore;
  vault: TokenVault;
  identityProvider: IdentityProvider;
  /** Proves that the browser belongs to the person whom the ticket was made for. */
  slackSignIn: SlackSignIn;
  /** Called after the link is stored: sends the receipt and wakes parked questions. Not awaited; its errors are logged. */
  onLinked: (saved: SavedLink) => Promise<void>;
  now: () => number;
  log: Log;
};

type Undone = { link: AccountLink; ticket: Ticket };

/** The sign-in, step by step. Unless stated otherwise, a refusal is a LinkRefusedError and nothing is linked. */
export type LinkFlow = {
  /** The URL to show to this person and nobody else. Valid for one sign-in within 10 min. */
  issueTicket(ticket: Ticket): Promise<string>;
  /** Changes nothing. `channelAnswers` is what to propose. */
  preview(secret: string): Promise<SignInIntent>;
  /** Uses up the ticket. */
  begin(secret: string, channelAnswers: ChannelAnswers): Promise<SignInRedirect>;
  finishSlack(callback: URLSearchParams, cookie: string | undefined): Promise<SignInRedirect>;
  /** Leads to the page with both names. Nothing is linked yet. */
  finishAccount(callback: URLSearchParams, cookie: string | undefined): Promise<SignInRedirect>;
  /** What the page with both names shows. `replaced`: the link of another account, which is connected now. Changes nothing. */
  review(presented: Presented): Promise<LinkPair & { replaced: AccountLink | undefined }>;
  /** The person has seen both names and wants them connected. Works once. */
  confirm(presented: Presented): Promise<Confirmation>;
  /** The person does not want that. Forgets the tokens. */
  decline(presented: Presented): Promise<LinkPair>;
  /** Removes the link of `confirm`, once, within 10 min. Undefined: it is gone, or another sign-in has replaced it. */
  undo(presented: Presented): Promise<Undone | undefined>;
  /**
   * Deletes one or all links with their tokens, and returns which existed. The contract has no revocation: the tokens
   * expire at the identity provider by themselves.
   */
  unlink(person: Person, purpose?: Purpose): Promise<Purpose[]>;
};

export function createLinkFlow(options: LinkFlowOptions): LinkFlow {
  const parts = toParts(options);
  const { publicUrl, tickets } = parts;
  return {
    issueTicket: async (ticket) => `${publicUrl}/link/start?ticket=${await tickets.issue(ticket)}`,
    preview: (secret) => preview(parts, secret),
    begin: (secret, channelAnswers) => begin(parts, secret, channelAnswers),
    finishSlack: (callback, cookie) => finishSlack(parts, callback, cookie),
    finishAccount: (callback, cookie) => finishAccount(parts, callback, cookie),
    review: (presented) => review(parts, presented),
    confirm: (presented) => confirm(parts, presented),
    decline: async (presented) => toPair(await parts.drafts.take(presented)),
    undo: (presented) => undo(parts, presented),
    unlink: (person, purpose) => unlink(parts, person, purpose),
  };
}

type Parts = LinkFlowOptions & {
  tickets: TicketBook;
  steps: PendingSteps;
  drafts: LinkDrafts;
  undos: BrowserBound<Undo>;
};

/** `linkedAt` tells the link from a later one. */
type Undo = { ticket: Ticket; linkedAt: number };

export const UNDO_LIFE_MS = 10 * 60_000;

function toParts(options: LinkFlowOptions): Parts {
  return {
    ...options,
    publicUrl: withoutTrailingSlash(options.publicUrl),
    tickets: createTicketBook(options.once, options.now),
    steps: createPendingSteps(options.once, options.now),
    drafts: createLinkDrafts(options),
    undos: createBrowserBound('link-undo', { ...options, lifeMs: UNDO_LIFE_MS }),
  };
}

async function preview(parts: Parts, secret: string): Promise<SignInIntent> {
  const ticket = await parts.tickets.peek(secret);
  if (!ticket) throw new LinkRefusedError('ticket_unknown');
  const chosen = await parts.links.get({ ...ticket.person, purpose: 'assistant' });
  return { ticket, channelAnswers: chosen?.channelAnswers ?? 'thread' };
}

async function begin(parts: Parts, secret: string, channelAnswers: ChannelAnswers): Promise<SignInRedirect> {
  // Before anything is written: of concurrent posts one leaves a step. If it fails from here on, a new ticket is needed.
  const ticket = await parts.tickets.take(secret);
  if (!ticket) throw new LinkRefusedError('ticket_unknown');
  const intent = { ticket, channelAnswers };
  return namingTicket(ticket, () => departForSlack(parts, { intent, cookie: createSecret() }));
}

type PendingSignIn = { intent: SignInIntent; cookie: string };

async function departForSlack(parts: Parts, { intent, cookie }: PendingSignIn): Promise<SignInRedirect> {
  const redirectUri = `${parts.publicUrl}/link/slack/callback`;
  const step = await parts.steps.open('slack', cookie, { ...intent, redirectUri });
  return { url: await parts.slackSignIn.buildSignInUrl(intent.ticket.workspace, step), cookie };
}

async function departForAccount(parts: Parts, { intent, cookie }: PendingSignIn): Promise<SignInRedirect> {
  const redirectUri = `${parts.publicUrl}/link/account/callback`;
  const step = await parts.steps.open('account', cookie, { ...intent, redirectUri });
  return { url: await parts.identityProvider.buildSignInUrl(intent.ticket.purpose, step), cookie };
}

async function finishSlack(
  parts: Parts,
  callback: URLSearchParams,
  cookie: string | undefined,
): Promise<SignInRedirect> {
  const step = await parts.steps.claim('slack', callback, cookie);
  const { ticket, channelAnswers } = step;
  return namingTicket(ticket, async () => {
    refuseCallbackError('slack', callback, ticket);
    if (cookie === undefined) throw new LinkRefusedError('step_unknown');
    if (!(await parts.slackSignIn.finish(callback, step, ticket))) throw new LinkRefusedError('wrong_person');
    return departForAccount(parts, { intent: { ticket, channelAnswers }, cookie });
  });
}

async function finishAccount(
  parts: Parts,
  callback: URLSearchParams,
  cookie: string | undefined,
): Promise<SignInRedirect> {
  const step = await parts.steps.claim('account', callback, cookie);
  const { ticket, channelAnswers } = step;
  return namingTicket(ticket, async () => {
    refuseCallbackError('account', callback, ticket);
    if (cookie === undefined) throw new LinkRefusedError('step_unknown');
    const secret = await parts.drafts.offer(
      { ticket, channelAnswers, ...(await redeem(parts, callback, step)) },
      cookie,
    );
    return { url: `${parts.publicUrl}/link/confirm?draft=${secret}`, cookie };
  });
}

async function confirm(parts: Parts, presented: Presented): Promise<Confirmation> {
  const draft = await parts.drafts.take(presented);
  const pair = toPair(draft);
  const { cookie } = presented;
  const { linkedAt } = await completeLink(parts, draft);
  const undoSecret = createSecret();
  if (cookie !== undefined) {
    // A failure here must not look like one of the link, which is stored.
    await parts.undos
      .put({ ticket: draft.ticket, linkedAt }, { secret: undoSecret, cookie })
      .catch((error: unknown) => {
        parts.log.warn({ err: error }, 'undo of a new link not possible');
      });
  }
  return { undoSecret, pair };
}

async function undo({ undos, links, log }: Parts, presented: Presented): Promise<Undone | undefined> {
  const { ticket, linkedAt } = await undos.take(presented);
  const key = keyOf(ticket);
  for (;;) {
    const link = await links.get(key);
    if (link?.linkedAt !== linkedAt) return undefined;
    // It may be saved meanwhile: with refreshed tokens, or by another sign-in, which has to stay.
    if (!(await links.deleteUnchanged(link))) continue;
    log.info({ purpose: key.purpose }, 'account link undone');
    return { link, ticket };
  }
}

async function review({ drafts, links }: Parts, presented: Presented): ReturnType<LinkFlow['review']> {
  const draft = await drafts.peek(presented);
  const now = await links.get(keyOf(draft.ticket));
  const isReplaced = now !== undefined && now.sealedTokens !== '' && isOtherAccount(now, draft);
  return { ...toPair(draft), replaced: isReplaced ? now : undefined };
}

type NamedAccount = Pick<LinkDraft, 'account' | 'accountName'>;

/** Two accounts may have one name, and an account may be renamed: names decide only where the accounts cannot be told. */
function isOtherAccount(one: NamedAccount, other: NamedAccount): boolean {
  const verdict = compareAccounts(one.account, other.account);
  return verdict === 'unknown' ? one.accountName !== other.accountName : verdict === 'different';
}

function toPair({ ticket, accountName }: LinkDraft): LinkPair {
  return { ticket, ...(accountName !== undefined && { accountName }) };
}

async function redeem(parts: Parts, callback: URLSearchParams, step: PendingStep): Promise<SignedInAccount> {
  try {
    return await parts.identityProvider.exchange(step.ticket.purpose, callback, step);
  } catch (error) {
    // An expired code ends this sign-in only, not an existing authorization.
    if (error instanceof AuthorizationEndedError) throw new LinkRefusedError('provider_failed', { cause: error });
    throw error;
  }
}

async function unlink({ links }: Parts, person: Person, purpose?: Purpose): Promise<Purpose[]> {
  const removed: Purpose[] = [];
  for (const each of purpose ? [purpose] : (['assistant', 'admin'] as const)) {
    const key = { ...person, purpose: each };
    if (!(await links.get(key))) continue;
    await links.delete(key);
    removed.push(each);
  }
  return removed;
}

/**
 * Stores the link, replacing any other for this person and purpose, because the latest sign-in counts. `onLinked` is not
 * awaited: a browser is waiting.
 */
async function completeLink(
  { links, vault, onLinked, now, log }: Pick<LinkFlowOptions, 'links' | 'vault' | 'onLinked' | 'now' | 'log'>,
  { ticket, tokens, ...rest }: LinkDraft,
): Promise<Pick<AccountLink, 'linkedAt'>> {
  const key = keyOf(ticket);
  const { workspace } = ticket;
  const sealedTokens = sealTokens(vault, key, tokens);
  const link = { schema: 1 as const, ...key, workspace, ...rest, sealedTokens, linkedAt: now() };
  const saved = await replaceLink(links, { key, stored: await links.get(key) }, () => link);
  log.info({ ...key, replaced: saved.previous !== undefined }, 'account linked');
  onLinked(saved).catch((error: unknown) => {
    log.warn({ err: error }, 'the announcement of a new link failed, the link is stored');
  });
  return saved.link;
}
