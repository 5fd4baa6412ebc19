import type { Person } from '../conversation/person.ts';
import type { Log } from '../log.ts';
import type { AccountLink, ChannelAnswers, LinkStore, Purpose } from './account-link.ts';
import { readCallbackError } from './callback-error.ts';
import { completeLink, type SavedLink } from './complete-link.ts';
import { AuthorizationEndedError, LinkRefusedError } from './identity-errors.ts';
import type { IdentityProvider, SignedInAccount } from './identity-provider.ts';
import { createLinkCodes, type LinkCodes, type LinkDraft } from './link-code.ts';
import {
  createPendingSteps,
  type PendingStep,
  type PendingSteps,
  type SignInIntent,
  type StepName,
} from './link-step.ts';
import { createTicketBook, type Ticket, type TicketBook } from './link-ticket.ts';
import type { OnceStore } from './once-store.ts';
import { createSecret } from './secret.ts';
import type { SlackSignIn } from './slack-sign-in.ts';
import type { TokenVault } from './token-vault.ts';
import { isHttps, isLoopback, withoutTrailingSlash } from './web-address.ts';

/** Where the browser goes next, and the cookie that ties the rest of the sign-in to it. */
type Departure = { url: string; cookie: string };

/** `code`: nothing is linked until the person types the code into Slack. */
type Arrival = { ticket: Ticket } & ({ kind: 'linked'; link: AccountLink } | { kind: 'code'; code: string });

export type LinkFlowOptions = {
  publicUrl: string;
  once: OnceStore;
  links: LinkStore;
  vault: TokenVault;
  identityProvider: IdentityProvider;
  /** Without it, or where `publicUrl` is http and not loopback, a code typed into Slack is the second proof. */
  slackSignIn?: SlackSignIn | undefined;
  /** CHANNEL_ANSWERS: what the page proposes to somebody who has not chosen yet. */
  defaultChannelAnswers: ChannelAnswers;
  /** After the link is stored: the receipt, the held questions. It is not waited for, and its errors are logged. */
  onLinked: (saved: SavedLink) => Promise<void>;
  now: () => number;
  log: Log;
};

/** The sign-in of DESIGN section 4. Unless said otherwise a refusal is a LinkRefusedError, and nothing is linked. */
export type LinkFlow = {
  /** `code`: Slack has to offer a place to type the code, and pass it to `confirmCode`. */
  readonly variant: 'browser' | 'code';
  /** The address to show to this person and nobody else. Good for one sign-in within 10 min. */
  issueTicket(ticket: Ticket): Promise<string>;
  /** Changes nothing. `channelAnswers` is what to propose. */
  preview(secret: string): Promise<SignInIntent>;
  /** Uses up the ticket. */
  begin(secret: string, channelAnswers: ChannelAnswers): Promise<Departure>;
  finishSlack(callback: URLSearchParams, cookie: string | undefined): Promise<Departure>;
  finishAccount(callback: URLSearchParams, cookie: string | undefined): Promise<Arrival>;
  /** Completes the sign-in whose code this person typed into Slack. Throws LinkCodeError with the tries left. */
  confirmCode(person: Person, purpose: Purpose, code: string): Promise<AccountLink>;
  /**
   * Deletes the links, one or all, with their tokens, and says which there were. The identity provider is not told: the
   * contract shows no revocation, so what it issued ends there by itself.
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

async function begin(parts: Parts, secret: string, channelAnswers: ChannelAnswers): Promise<Departure> {
  const ticket = await parts.tickets.peek(secret);
  if (!ticket) throw new LinkRefusedError('ticket_unknown');
  return namingPurpose(ticket, async () => {
    const cookie = createSecret();
    const intent = { ticket, channelAnswers };
    // Before the ticket is used up: where Slack cannot be reached, the same page works again a minute later.
    const departure = parts.slackSignIn
      ? await departForSlack(parts, parts.slackSignIn, { intent, cookie })
      : await departForAccount(parts, { intent, cookie });
    if (!(await parts.tickets.take(secret))) throw new LinkRefusedError('ticket_unknown');
    return departure;
  });
}

type Traveller = { intent: SignInIntent; cookie: string };

async function departForSlack(parts: Parts, slack: SlackSignIn, { intent, cookie }: Traveller): Promise<Departure> {
  const redirectUri = `${parts.publicUrl}/link/slack/callback`;
  const step = await parts.steps.open('slack', cookie, { ...intent, redirectUri });
  return { url: await slack.buildSignInUrl(intent.ticket.workspace, step), cookie };
}

async function departForAccount(parts: Parts, { intent, cookie }: Traveller): Promise<Departure> {
  const redirectUri = `${parts.publicUrl}/link/account/callback`;
  const step = await parts.steps.open('account', cookie, { ...intent, redirectUri });
  return { url: await parts.identityProvider.buildSignInUrl(intent.ticket.purpose, step), cookie };
}

async function finishSlack(parts: Parts, callback: URLSearchParams, cookie: string | undefined): Promise<Departure> {
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

/** Only after the state was used up, so that a callback that comes twice ends before its code is redeemed. */
function refuseCallbackError(name: StepName, callback: URLSearchParams, { purpose }: Ticket): void {
  const error = readCallbackError(name, callback, purpose);
  if (error) throw error;
}

/** The page of a refusal tells the command that begins this sign-in again. */
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
    // A code that is over is not an authorization that is over: this sign-in failed, and that is all.
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
