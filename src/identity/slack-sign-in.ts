import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import type { HttpClient } from '../http/http-client.ts';
import { isHttps } from '../http/web-address.ts';
import { parseObject } from '../json.ts';
import type { ConfigurationFault } from './configuration-fault.ts';
import { LinkRefusedError, SlackSignInMisconfiguredError, toSafeCode } from './identity-errors.ts';
import type { SignInStep } from './identity-provider.ts';
import type { Ticket } from './link-ticket.ts';
import { toFetch } from './openid-fetch.ts';

/** The Slack user that a browser is signed in as. `enterprise`: set if the team belongs to one. */
type SlackIdentity = { user: string; team: string; enterprise?: string };

type Who = Pick<Ticket, 'person' | 'workspace'>;

export type SlackSignInOptions = {
  /** SLACK_API_URL: the OpenID metadata is discovered at its origin. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  http: HttpClient;
};

export type SlackSignIn = ReturnType<typeof createSlackSignIn>;

/**
 * Sign in with Slack: https://docs.slack.dev/authentication/sign-in-with-slack/. Throws LinkRefusedError,
 * `slack_unavailable` (try again) or `slack_failed`, and SlackSignInMisconfiguredError.
 */
export function createSlackSignIn(options: SlackSignInOptions) {
  const { origin } = new URL(options.apiUrl);
  const configuration = rememberSuccess(() => discover(origin, options));

  return {
    origin,
    /** `workspace`: the team that Slack should offer to sign in to. */
    async buildSignInUrl(workspace: string, step: SignInStep): Promise<string> {
      const config = await refuseOnFailure(configuration);
      const url = buildAuthorizationUrl(config, {
        redirect_uri: step.redirectUri,
        scope: 'openid',
        state: step.state,
        nonce: step.nonce,
        ...(workspace.startsWith('T') && { team: workspace }),
        ...(config.serverMetadata().supportsPKCE() && {
          code_challenge: await calculatePKCECodeChallenge(step.codeVerifier),
          code_challenge_method: 'S256',
        }),
      });
      return url.href;
    },
    /**
     * Redeems the code of a callback, checks the id token, and resolves with whether it is the ticket's person. Slack's
     * token is discarded.
     */
    finish: (callback: URLSearchParams, step: SignInStep, ticket: Who): Promise<boolean> =>
      refuseOnFailure(async () => {
        const config = await configuration();
        const url = new URL(step.redirectUri);
        url.search = callback.toString();
        const answer = await authorizationCodeGrant(config, url, {
          expectedState: step.state,
          expectedNonce: step.nonce,
          ...(config.serverMetadata().supportsPKCE() && { pkceCodeVerifier: step.codeVerifier }),
        });
        const identity = toSlackIdentity(answer.claims());
        if (identity.user !== ticket.person.user || isSamePerson(identity, ticket))
          return isSamePerson(identity, ticket);
        // The enterprise id, needed on Enterprise Grid, is not documented in the id token.
        const { [ENTERPRISE_CLAIM]: enterprise } = await fetchUserInfo(config, answer.access_token, identity.subject);
        return typeof enterprise === 'string' && isSamePerson({ ...identity, enterprise }, ticket);
      }),
  };
}

/**
 * Whether the browser's Slack identity is the person a ticket was made for. A person's `team` is the enterprise id where
 * there is one, and `workspace` the installing team; on Enterprise Grid a user id is the same in all its teams.
 */
export function isSamePerson(identity: SlackIdentity, ticket: Who): boolean {
  const { team, user } = ticket.person;
  if (identity.user !== user) return false;
  return identity.team === ticket.workspace || identity.team === team || identity.enterprise === team;
}

/** Slack's error code: https://docs.slack.dev/reference/methods/openid.connect.token#errors */
export class SlackAnswerError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Sign in with Slack: ${code}`);
    this.code = code;
  }

  /** A failure of Slack, or too many requests. */
  get isTemporary(): boolean {
    return TEMPORARY.has(this.code);
  }
}

async function discover(origin: string, options: SlackSignInOptions): Promise<Configuration> {
  return discovery(new URL(origin), options.clientId, undefined, ClientSecretPost(options.clientSecret), {
    [customFetch]: refuseSlackErrors(toFetch(options.http)),
    execute: [enableNonRepudiationChecks, ...(isHttps(origin) ? [] : [allowInsecureRequests])],
  });
}

/** The next sign-in retries a failed discovery; a successful one is cached for good. */
function rememberSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** Maps failures to refusals. No response at all is `slack_unavailable`. */
async function refuseOnFailure<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof LinkRefusedError) throw error;
    const answer = error instanceof ClientError ? error.cause : undefined;
    if (answer instanceof SlackAnswerError) throw toRefusal(answer);
    const isAnswer = error instanceof ClientError && error.code !== undefined && !NO_ANSWER.has(error.code);
    throw new LinkRefusedError(isAnswer ? 'slack_failed' : 'slack_unavailable', { cause: toCause(error) });
  }
}

function toRefusal(answer: SlackAnswerError): Error {
  const fault = toSlackFault(answer);
  if (fault) return new SlackSignInMisconfiguredError(fault, { cause: answer });
  return new LinkRefusedError(answer.isTemporary ? 'slack_unavailable' : 'slack_failed', { cause: answer });
}

const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Keeps only the code: openid-client's causes contain whole responses with tokens. */
function toCause(error: unknown): Error {
  const code = error instanceof ClientError ? (error.code ?? 'no_connection') : 'unexpected';
  return new Error(`Sign in with Slack: ${code}`);
}

const USER_CLAIM = 'https://slack.com/user_id';

const TEAM_CLAIM = 'https://slack.com/team_id';

const ENTERPRISE_CLAIM = 'https://slack.com/enterprise_id';

function toSlackIdentity(claims: IDToken | undefined): SlackIdentity & { subject: string } {
  const user = claims?.[USER_CLAIM];
  const team = claims?.[TEAM_CLAIM];
  const enterprise = claims?.[ENTERPRISE_CLAIM];
  if (!claims || typeof user !== 'string' || typeof team !== 'string') throw new LinkRefusedError('slack_failed');
  return {
    subject: claims.sub,
    user,
    team,
    ...(typeof enterprise === 'string' && enterprise !== '' && { enterprise }),
  };
}

const TEMPORARY = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

const VARIABLES: Record<string, string> = {
  bad_client_secret: 'SLACK_CLIENT_SECRET',
  bad_redirect_uri: 'PUBLIC_URL',
  invalid_client_id: 'SLACK_CLIENT_ID',
};

function toSlackFault({ code }: SlackAnswerError): ConfigurationFault | undefined {
  const variable = VARIABLES[code];
  return variable === undefined ? undefined : { variable, slackError: code };
}

/** Slack refuses with status 200 and `ok: false`. openid-client would read that as a token response without a token. */
function refuseSlackErrors(fetch: CustomFetch): CustomFetch {
  return async (url, request) => {
    const answer = await fetch(url, request);
    const { ok, error } = parseObject(await answer.clone().text());
    if (ok === false && typeof error === 'string') throw new SlackAnswerError(toSafeCode(error));
    return answer;
  };
}
