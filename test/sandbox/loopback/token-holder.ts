import type { IncomingMessage } from 'node:http';

/** Who an access token speaks for. `roles` matter to the administrative interface only. */
export type TokenHolder = {
  readonly subject: string;
  readonly name: string;
  readonly scope: string;
  readonly roles?: readonly string[];
  /** True for a token without a person (client credentials). */
  readonly isAppOnly?: boolean;
};

export type VerifyToken = (token: string) => Promise<TokenHolder | undefined> | TokenHolder | undefined;

export function readBearerToken(request: IncomingMessage): string | undefined {
  return /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/.exec(request.headers.authorization ?? '')?.[1];
}

/** For tests without an identity provider: `sandbox-ana` speaks for Ana, with `scope`. */
export function createPlainVerifier(scope: string): VerifyToken {
  return (token) => {
    const subject = /^sandbox-([a-z0-9]+)$/.exec(token)?.[1];
    if (subject === undefined) return undefined;
    const name = subject.charAt(0).toUpperCase() + subject.slice(1);
    return { subject, name, scope, roles: subject === 'kim' ? ['admin'] : [] };
  };
}
