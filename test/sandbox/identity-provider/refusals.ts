// What its model adds to a refusal, or refuses itself: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../loopback/render-page.ts';
import { type Reply, sendReply } from '../loopback/reply.ts';
import { buildTokenError } from './faults.ts';
import type { IdentitySettings } from './options.ts';
import { buildPage } from './sign-in.ts';

/** Numbers that stand beside `error`, for whoever set the client up. */
const CODES = { unknownTenant: 90002, unknownClient: 700016, wrongSecret: 7000215, wrongCertificate: 700027 } as const;

/** Another tenant's path: there is no such tenant. Undefined where the path is none of a tenant. */
export function findUnknownTenant(path: string, tenant: string): string | undefined {
  const [, named] = /^\/([^/]+)\/(?:oauth2\/v2\.0\/(?:authorize|token)|v2\.0\/\.well-known\/)/.exec(path) ?? [];
  return named === tenant ? undefined : named;
}

/** A page for a browser, JSON for an app. */
export function answerUnknownTenant(response: ServerResponse, path: string, tenant: string): void {
  const text = `AADSTS${CODES.unknownTenant}: Tenant '${tenant}' not found.`;
  if (path.endsWith('/authorize')) {
    const html = buildPage('Sign-in failed', `<p>${escapeHtml(text)}</p>`);
    return sendReply(response, { status: 400, body: html });
  }
  const error = path.endsWith('/token') ? 'invalid_request' : 'invalid_tenant';
  sendReply(response, buildTokenError(400, error, CODES.unknownTenant, text));
}

/** Tells an unknown client from a wrong secret or certificate, which oidc-provider leaves open. */
export function refuseClient(settings: IdentitySettings, form: URLSearchParams): Reply {
  const clientId = form.get('client_id') ?? '';
  if (clientId !== settings.clientId) {
    const text = `AADSTS${CODES.unknownClient}: Application with identifier '${clientId}' was not found.`;
    return buildTokenError(400, 'unauthorized_client', CODES.unknownClient, text);
  }
  const code = form.has('client_assertion') ? CODES.wrongCertificate : CODES.wrongSecret;
  return buildTokenError(401, 'invalid_client', code, `AADSTS${code}: The client could not be authenticated.`);
}
