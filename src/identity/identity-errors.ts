import { PermanentError, TransientError, UserError } from '../errors.ts';
import type { Purpose } from './account-link.ts';
import type { ConfigurationFault } from './configuration-fault.ts';

/** No usable authorization: none was ever given (`never`), or it has ended (`ended`). The person must sign in. */
export class AccountNotLinkedError extends UserError {
  readonly reason: 'never' | 'ended';

  constructor(reason: AccountNotLinkedError['reason'], options?: ErrorOptions) {
    super('account_not_linked', `the person has to sign in: ${reason}`, options);
    this.reason = reason;
  }
}

/** The identity provider did not answer, or not as one does. Says nothing about anybody's authorization. */
export class IdentityProviderUnavailableError extends TransientError {
  /** What an operator should look at first; it may be the network or the identity provider all the same. */
  readonly fault: ConfigurationFault | undefined;

  constructor(detail: string, options?: ErrorOptions & { retryAfterMs?: number | undefined } & Faulty) {
    super('identity_provider_unavailable', `the identity provider cannot be used now: ${detail}`, options);
    this.fault = options?.fault;
  }
}

type Faulty = { fault?: ConfigurationFault | undefined };

/** The identity provider refuses this app, whoever signs in: the operator has to change the configuration. */
export class IdentityProviderMisconfiguredError extends PermanentError {
  readonly fault: ConfigurationFault | undefined;

  constructor(detail: string, options?: ErrorOptions & Faulty) {
    const check = options?.fault ? `; check ${options.fault.variable}` : '';
    super('identity_provider_misconfigured', `the identity provider refuses this app: ${detail}${check}`, options);
    this.fault = options?.fault;
  }
}

/** Slack refuses this app at Sign in with Slack, whoever signs in. */
export class SlackSignInMisconfiguredError extends PermanentError {
  readonly fault: ConfigurationFault;

  constructor(fault: ConfigurationFault, options?: ErrorOptions) {
    super('slack_sign_in_misconfigured', `Slack refuses this app; check ${fault.variable}`, options);
    this.fault = fault;
  }
}

/** The identity provider says that this authorization, or this code, is over: `invalid_grant` and its kin. */
export class AuthorizationEndedError extends UserError {
  readonly oauthError: string;
  /** The identity provider's own numbers for it. */
  readonly codes: readonly number[];

  constructor(oauthError: string, options?: ErrorOptions & { codes?: readonly number[] }) {
    super('authorization_ended', `the identity provider asks for a new sign-in: ${oauthError}`, options);
    this.oauthError = oauthError;
    this.codes = options?.codes ?? [];
  }
}

/** Sealed text that cannot be opened, by nobody. Never a reason to end a link: it is for the operator to look at. */
export class TokenUnreadableError extends PermanentError {
  constructor(code: 'token_tampered' | 'token_malformed', detail: string) {
    super(code, detail);
  }
}

/** Sealed with a key that is not in our list: of a replica that has a newer one already, or the operator forgot it. */
export class TokenKeyUnknownError extends TransientError {
  constructor(id: string) {
    super('token_key_unknown', `ENCRYPTION_KEYS has no key "${id}"`);
  }
}

/** Why a sign-in stopped. Each has a page of its own that says what to do next. */
export type LinkRefusal =
  | 'ticket_unknown' // unknown, used, or older than 10 minutes
  | 'step_unknown' // a callback nobody waits for: replayed, expired, or made up
  | 'other_browser' // no cookie, or another browser's
  | 'wrong_person' // signed in to Slack as somebody else
  | 'denied' // the person or the provider said no
  | 'consent_needed' // an administrator has to allow the app first
  | 'slack_failed' // Slack did not confirm who it is
  | 'slack_unavailable'
  | 'provider_failed'; // the identity provider did not confirm the sign-in

/** A sign-in stopped and nothing was linked. */
export class LinkRefusedError extends UserError {
  readonly reason: LinkRefusal;
  /** Of the sign-in, where it is known. */
  readonly purpose: Purpose | undefined;
  readonly fault: ConfigurationFault | undefined;

  constructor(reason: LinkRefusal, options?: ErrorOptions & { purpose?: Purpose } & Faulty) {
    super(`link_${reason}`, `the sign-in stopped: ${reason}`, options);
    this.reason = reason;
    this.purpose = options?.purpose;
    this.fault = options?.fault;
  }
}

/** The code typed into Slack does not complete a sign-in. No tries left means that it is gone: start again. */
export class LinkCodeError extends UserError {
  readonly triesLeft: number;

  constructor(code: 'link_code_wrong' | 'link_code_unknown', triesLeft: number) {
    super(code, `the sign-in code is not accepted, ${triesLeft} tries left`);
    this.triesLeft = triesLeft;
  }
}
