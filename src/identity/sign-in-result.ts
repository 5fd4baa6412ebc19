import { TransientError } from '../errors.ts';
import { faultOf } from './configuration-fault.ts';
import { IdentityProviderMisconfiguredError, type LinkRefusal, LinkRefusedError } from './identity-errors.ts';
import type { LinkFlow } from './link-flow.ts';

/**
 * How a sign-in ended. `declined`: the person said no; `refused`: Slack or the identity provider did; `expired`: the
 * link or the page is over; `misconfigured`: a value of our configuration is wrong.
 */
export type SignInResult =
  | 'signed_in'
  | 'declined'
  | 'refused'
  | 'wrong_person'
  | 'wrong_browser'
  | 'expired'
  | 'misconfigured'
  | 'unavailable'
  | 'failed';

const BY_REASON: Record<LinkRefusal, SignInResult> = {
  ticket_unknown: 'expired',
  step_unknown: 'expired',
  other_browser: 'wrong_browser',
  wrong_person: 'wrong_person',
  denied: 'declined',
  consent_needed: 'refused',
  slack_failed: 'refused',
  slack_unavailable: 'unavailable',
  other_tenant: 'refused',
  provider_failed: 'refused',
};

/** The same flow, reporting how each sign-in ends. */
export function watchSignIns(flow: LinkFlow, onSignIn: (result: SignInResult) => void): LinkFlow {
  async function watch<T>(work: Promise<T>, end?: SignInResult): Promise<T> {
    try {
      const result = await work;
      if (end) onSignIn(end);
      return result;
    } catch (error) {
      onSignIn(toSignInResult(error));
      throw error;
    }
  }
  return {
    ...flow,
    preview: (secret) => watch(flow.preview(secret)),
    begin: (secret, channelAnswers) => watch(flow.begin(secret, channelAnswers)),
    finishSlack: (callback, cookie) => watch(flow.finishSlack(callback, cookie)),
    finishAccount: (callback, cookie) => watch(flow.finishAccount(callback, cookie)),
    confirm: (presented) => watch(flow.confirm(presented), 'signed_in'),
    decline: (presented) => watch(flow.decline(presented), 'declined'),
  };
}

function toSignInResult(error: unknown): SignInResult {
  if (faultOf(error) || error instanceof IdentityProviderMisconfiguredError) return 'misconfigured';
  if (error instanceof LinkRefusedError) return BY_REASON[error.reason];
  return error instanceof TransientError ? 'unavailable' : 'failed';
}
