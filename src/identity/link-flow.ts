import type { Person } from '../conversation/question.ts';
import type { Log } from '../log.ts';
import type { AccountLink, ChannelAnswers, ExpiringStore, LinkStore, Purpose } from './account-link.ts';
import { scopeVariable, toConfigurationFault } from './configuration-fault.ts';
import {
  AuthorizationEndedError,
  IdentityProviderMisconfiguredError,
  IdentityProviderUnavailableError,
  LinkRefusedError,
  toSafeCode,
} from './identity-errors.ts';
import type { IdentityProvider, SignedInAccount } from './identity-provider.ts';
import {
  createLinkCodes,
  createPendingSteps,
  createSecret,
  createTicketBook,
  type LinkCodes,
  type LinkDraft,
  type PendingStep,
  type PendingSteps,
  type SignInIntent,
  type StepName,
  type Ticket,
  type TicketBook,
} from './link-ticket.ts';
import { isHttps, isLoopback, withoutTrailingSlash } from './pages/page.ts';
import type { SlackSignIn } from './slack-sign-in.ts';
import { sealTokens, type TokenVault } from './token-vault.ts';

/** Where the browser goes next, and the cookie that binds the rest of the sign-in to it. */
type AuthorizationRedirect = { url: string; cookie: string };

/** `code`: nothing is linked until the person types the code into Slack. */
type Arrival = { ticket: Ticket } & ({ kind: 'linked'; link: AccountLink } | { kind: 'code'; code: string });

export type LinkFlowOptions = {
  publicUrl: string;
  once: ExpiringStore;
  links: LinkStore;
  vault: TokenVault;
  identityProvider: IdentityProvider;
  /** Without it, or if `publicUrl` is plain http beyond loopback, a code typed into Slack is the second proof. */
  slackSignIn?: SlackSignIn | undefined;
  /** CHANNEL_ANSWERS: the preselected choice on the page. */
  defaultChannelAnswers: ChannelAnswers;
  /** Called after the link is stored: sends the receipt and wakes parked questions. Not awaited; its errors are logged. */
  onLinked: (saved: SavedLink) => Promise<void>;
  now: () => number;
  log: Log;
};

/** The sign-in, step by step. Unless stated otherwise, a refusal is a LinkRefusedError and nothing is linked. */
export type LinkFlow = {
  /** `code`: the Slack surface has to ask for the code and pass it to `confirmCode`. */
  readonly variant: 'browser' | 'code';
  /** The URL to show to this person and nobody else. Valid for one sign-in within 10 min. */
  issueTicket(ticket: Ticket): Promise<string>;
  /** Changes nothing. `channelAnswers` is what to propose. */
  preview(secret: string): Promise<SignInIntent>;
  /** Uses up the ticket. */
  begin(secret: string, channelAnswers: ChannelAnswers): Promise<AuthorizationRedirect>;
  finishSlack(callback: URLSearchParams, cookie: string | undefined): Promise<AuthorizationRedirect>;
  finishAccount(callback: URLSearchParams, cookie: string | undefined): Promise<Arrival>;
  /** Completes the sign-in whose code this person typed into Slack. Throws LinkCodeError with the tries left. */
  confirmCode(person: Person, purpose: Purpose, code: string): Promise<AccountLink>;
  /**
   * Deletes one or all links with their tokens, and returns which existed. The contract has no revocation: the tokens
   * expire at the identity provider by themselves.
   */
  unlink(person: Person, purpose?: Purpose): Promise<Purpose[]>;
};

export function createLinkFlow(options: LinkFlowOptions): LinkFlow {
  const parts = toParts(options);
  const { codes, publicUrl, tickets } = parts;
  return {
    variant: parts.slackSignIn ? 'browser' : 'code',
    issueTicket: async (ticket) => `${publicUrl}/link/start?ticket=${await tickets.issue(ticket)}`,
    preview: (secret) => preview(parts, secret),
    begin: (secret, channelAnswers) => begin(parts, secret, channelAnswers),
    finishSlack: (callback, cookie) => finishSlack(parts, callback, cookie),
    finishAccount: (callback, cookie) => finishAccount(parts, callback, cookie),
    confirmCode: async (person, purpose, code) =>
      completeLink(options, await codes.redeem(toKey(person, purpose), code)),
    unlink: (person, purpose) => unlink(parts, person, purpose),
  };
}

type Parts = LinkFlowOptions & { tickets: TicketBook; steps: PendingSteps; codes: LinkCodes };

function toParts(options: LinkFlowOptions): Parts {
  const publicUrl = withoutTrailingSlash(options.publicUrl);
  const isProtected = isHttps(publicUrl) || isLoopback(publicUrl);
  return {
    ...options,
    publicUrl,
    slackSignIn: isProtected ? options.slackSignIn : undefined,
    tickets: createTicketBook(options.once, options.now),
    steps: createPendingSteps(options.once, options.now),
    codes: createLinkCodes(options),
  };
}

async function preview(parts: Parts, secret: string): Promise<SignInIntent> {
  const ticket = await parts.tickets.peek(secret);
  if (!ticket) throw new LinkRefusedError('ticket_unknown');
  const chosen = await parts.links.get(toKey(ticket.person, 'assistant'));
  return { ticket, channelAnswers: chosen?.channelAnswers ?? parts.defaultChannelAnswers };
}

async function begin(parts: Parts, secret: string, channelAnswers: ChannelAnswers): Promise<AuthorizationRedirect> {
  const ticket = await parts.tickets.peek(secret);
  if (!ticket) throw new LinkRefusedError('ticket_unknown');
  return namingPurpose(ticket, async () => {
    const cookie = createSecret();
    const intent = { ticket, channelAnswers };
    // Before the ticket is used up: if Slack cannot be reached, the same page works again later.
    const redirect = parts.slackSignIn
      ? await departForSlack(parts, parts.slackSignIn, { intent, cookie })
      : await departForAccount(parts, { intent, cookie });
    if (!(await parts.tickets.take(secret))) throw new LinkRefusedError('ticket_unknown');
    return redirect;
  });
}

type PendingSignIn = { intent: SignInIntent; cookie: string };

async function departForSlack(
  parts: Parts,
  slack: SlackSignIn,
  { intent, cookie }: PendingSignIn,
): Promise<AuthorizationRedirect> {
  const redirectUri = `${parts.publicUrl}/link/slack/callback`;
  const step = await parts.steps.open('slack', cookie, { ...intent, redirectUri });
  return { url: await slack.buildSignInUrl(intent.ticket.workspace, step), cookie };
}

async function departForAccount(parts: Parts, { intent, cookie }: PendingSignIn): Promise<AuthorizationRedirect> {
  const redirectUri = `${parts.publicUrl}/link/account/callback`;
  const step = await parts.steps.open('account', cookie, { ...intent, redirectUri });
  return { url: await parts.identityProvider.buildSignInUrl(intent.ticket.purpose, step), cookie };
}

async function finishSlack(
  parts: Parts,
  callback: URLSearchParams,
  cookie: string | undefined,
): Promise<AuthorizationRedirect> {
  const step = await parts.steps.claim('slack', callback, cookie);
  const { ticket, channelAnswers } = step;
  return namingPurpose(ticket, async () => {
    refuseCallbackError('slack', callback, ticket);
    if (!parts.slackSignIn || cookie === undefined) throw new LinkRefusedError('step_unknown');
    if (!(await parts.slackSignIn.finish(callback, step, ticket))) throw new LinkRefusedError('wrong_person');
    return departForAccount(parts, { intent: { ticket, channelAnswers }, cookie });
  });
}

async function finishAccount(parts: Parts, callback: URLSearchParams, cookie: string | undefined): Promise<Arrival> {
  const step = await parts.steps.claim('account', callback, cookie);
  const { ticket } = step;
  return namingPurpose(ticket, async () => {
    refuseCallbackError('account', callback, ticket);
    const draft = toDraft(step, await redeem(parts, callback, step));
    if (!parts.slackSignIn) return { kind: 'code', code: await parts.codes.offer(draft), ticket };
    return { kind: 'linked', link: await completeLink(parts, draft), ticket };
  });
}

/** Called after the state was used up, so that a repeated callback fails before its code is redeemed. */
function refuseCallbackError(name: StepName, callback: URLSearchParams, { purpose }: Ticket): void {
  const error = readCallbackError(name, callback, purpose);
  if (error) throw error;
}

/** Adds the purpose to refusals, because their pages name the command that starts this sign-in again. */
async function namingPurpose<T>({ purpose }: Ticket, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LinkRefusedError)) throw error;
    throw new LinkRefusedError(error.reason, { cause: error.cause, purpose, fault: error.fault });
  }
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

async function unlink({ codes, links }: Parts, person: Person, purpose?: Purpose): Promise<Purpose[]> {
  const removed: Purpose[] = [];
  for (const each of purpose ? [purpose] : (['assistant', 'admin'] as const)) {
    const key = toKey(person, each);
    await codes.withdraw(key);
    if (!(await links.get(key))) continue;
    await links.delete(key);
    removed.push(each);
  }
  return removed;
}

function toDraft({ ticket, channelAnswers }: SignInIntent, account: SignedInAccount): LinkDraft {
  const { accountName, directoryId, tokens } = account;
  return {
    key: toKey(ticket.person, ticket.purpose),
    workspace: ticket.workspace,
    channelAnswers,
    tokens,
    ...(accountName !== undefined && { accountName }),
    ...(directoryId !== undefined && { directoryId }),
  };
}

function toKey({ team, user }: Person, purpose: Purpose): LinkDraft['key'] {
  return { team, user, purpose };
}

/** An administrator has to consent first: OpenID Connect Core section 3.1.2.6. */
const CONSENT = new Set(['consent_required', 'interaction_required', 'account_selection_required']);

const TEMPORARY = new Set(['temporarily_unavailable', 'server_error']);

/**
 * The error of a callback without a code; undefined if it has one. `error_description` is ignored: anybody can write it
 * into a URL.
 */
function readCallbackError(name: StepName, callback: URLSearchParams, purpose: Purpose): Error | undefined {
  const error = callback.get('error');
  const failed = name === 'slack' ? 'slack_failed' : 'provider_failed';
  if (error === null) return callback.get('code') ? undefined : new LinkRefusedError(failed);
  const code = toSafeCode(error);
  const cause = new Error(`the callback says ${code}`);
  if (code === 'access_denied') return new LinkRefusedError('denied', { cause });
  if (name === 'slack') return new LinkRefusedError(TEMPORARY.has(code) ? 'slack_unavailable' : failed, { cause });
  if (TEMPORARY.has(code)) return new IdentityProviderUnavailableError(code, { cause });
  const fault = readAuthorizeFault(code, purpose);
  if (fault) return new IdentityProviderMisconfiguredError(code, { cause, fault });
  return new LinkRefusedError(CONSENT.has(code) ? 'consent_needed' : failed, { cause });
}

/** The authorize endpoint gets no secret, so a refused client means a wrong id. */
export function readAuthorizeFault(error: string, purpose: Purpose, codes: readonly number[] = []) {
  const names = { client: 'AUTH_CLIENT_ID', credential: 'AUTH_CLIENT_ID', scope: scopeVariable(purpose) };
  return toConfigurationFault({ error, codes }, names);
}

/** `previous`: the person's former link for this purpose, perhaps with another account. */
export type SavedLink = { link: AccountLink; previous?: AccountLink };

/**
 * Stores the link, replacing any other for this person and purpose, because the latest sign-in counts. `onLinked` is not
 * awaited: a browser or a modal is waiting.
 */
async function completeLink(
  options: {
    links: LinkStore;
    vault: TokenVault;
    onLinked: (saved: SavedLink) => Promise<void>;
    now: () => number;
    log: Log;
  },
  draft: LinkDraft,
): Promise<AccountLink> {
  const saved = await save(options, draft);
  const { team, user, purpose } = draft.key;
  options.log.info({ team, user, purpose, replaced: saved.previous !== undefined }, 'account linked');
  options.onLinked(saved).catch((error: unknown) => {
    options.log.warn({ err: error }, 'the announcement of a new link failed, the link is stored');
  });
  return saved.link;
}

// A round fails only if the same link was saved concurrently.
const SAVE_ROUNDS = 5;

async function save(
  { links, vault, now }: { links: LinkStore; vault: TokenVault; now: () => number },
  draft: LinkDraft,
): Promise<SavedLink> {
  const { key, tokens, ...rest } = draft;
  const link = { schema: 1 as const, ...key, ...rest, sealedTokens: sealTokens(vault, key, tokens), linkedAt: now() };
  for (let round = 0; round < SAVE_ROUNDS; round += 1) {
    const previous = await links.get(key);
    const expected = previous?.version ?? 0;
    if (!(await links.save(link, expected))) continue;
    return { link: { ...link, version: expected + 1 }, ...(previous && { previous }) };
  }
  throw new Error('a link was saved by others five times in a row');
}
