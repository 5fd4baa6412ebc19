import { TransientError } from '../errors.ts';
import { faultOf } from './configuration-fault.ts';
import {
  IdentityProviderMisconfiguredError,
  LinkCodeError,
  type LinkRefusal,
  LinkRefusedError,
} from './identity-errors.ts';
import type { LinkFlow } from './link-flow.ts';

/**
 * How a sign-in ended. `declined`: the person said no; `refused`: Slack or the identity provider did; `expired`: the
 * link, the page or the code is over; `misconfigured`: a value of our configuration is wrong.
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

/** The same flow, reporting how each sign-in ends. A wrong code with tries left is not an end. */
export function watchSignIns(flow: LinkFlow, onSignIn: (result: SignInResult) => void): LinkFlow {
  async function watch<T>(work: Promise<T>, isSignedIn: (result: T) => boolean = () => false): Promise<T> {
    try {
      const result = await work;
      if (isSignedIn(result)) onSignIn('signed_in');
      return result;
    } catch (error) {
      if (!(error instanceof LinkCodeError && error.triesLeft > 0)) onSignIn(toSignInResult(error));
      throw error;
    }
  }
  return {
    ...flow,
    preview: (secret) => watch(flow.preview(secret)),
    begin: (secret, channelAnswers) => watch(flow.begin(secret, channelAnswers)),
    finishSlack: (callback, cookie) => watch(flow.finishSlack(callback, cookie)),
    finishAccount: (callback, cookie) => watch(flow.finishAccount(callback, cookie)),
    confirm: (presented) => watch(flow.confirm(presented), ({ kind }) => kind === 'linked'),
    async decline(presented) {
      const pair = await watch(flow.decline(presented));
      onSignIn('declined');
      return pair;
    },
    confirmCode: (person, purpose, code) => watch(flow.confirmCode(person, purpose, code), () => true),
  };
}

function toSignInResult(error: unknown): SignInResult {
  if (faultOf(error) || error instanceof IdentityProviderMisconfiguredError) return 'misconfigured';
  if (error instanceof LinkRefusedError) return BY_REASON[error.reason];
  if (error instanceof LinkCodeError) return 'expired';
  return error instanceof TransientError ? 'unavailable' : 'failed';
}
