import type { Config } from '../config.ts';
import type { SignInValues } from '../identity/probe-sign-in.ts';

/** The configured values that sign-ins depend on. */
export function toSignInValues(config: Config): SignInValues {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_API_URL: apiUrl } = config;
  return {
    publicUrl: config.PUBLIC_URL,
    provider: {
      authUrl: config.AUTH_URL,
      tenantId: config.AUTH_TENANT_ID,
      clientId: config.AUTH_CLIENT_ID,
      credential: config.AUTH_CLIENT_CERTIFICATE
        ? { certificate: config.AUTH_CLIENT_CERTIFICATE }
        : { secret: config.AUTH_CLIENT_SECRET ?? '' },
      issuer: config.AUTH_ISSUER,
      scopes: { assistant: config.ASSISTANT_SCOPE, admin: config.ADMIN_SCOPE },
    },
    slackClient: { apiUrl, clientId, clientSecret },
  };
}
