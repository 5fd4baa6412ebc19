// What its model adds to a refusal, or refuses itself: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../loopback/render-page.ts';
import type { IdentitySettings } from './options.ts';
import { buildPage } from './sign-in.ts';

/** Numbers that stand beside `error`, for whoever set the client up. */
const CODES = { unknownTenant: 90002, unknownClient: 700016, wrongSecret: 7000215, wrongCertificate: 700027 } as const;

type Refusal = { status: number; body: Readonly<Record<string, unknown>> };

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
    response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    return;
  }
  const error = path.endsWith('/token') ? 'invalid_request' : 'invalid_tenant';
  const body = { error, error_description: text, error_codes: [CODES.unknownTenant] };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Tells an unknown client from a wrong secret or certificate, which oidc-provider leaves open. */
export function refuseClient(settings: IdentitySettings, form: URLSearchParams): Refusal {
  const clientId = form.get('client_id') ?? '';
  if (clientId !== settings.clientId) {
    const text = `AADSTS${CODES.unknownClient}: Application with identifier '${clientId}' was not found.`;
    return toRefusal(400, 'unauthorized_client', CODES.unknownClient, text);
  }
  const code = form.has('client_assertion') ? CODES.wrongCertificate : CODES.wrongSecret;
  return toRefusal(401, 'invalid_client', code, `AADSTS${code}: The client could not be authenticated.`);
}

function toRefusal(status: number, error: string, code: number, error_description: string): Refusal {
  return { status, body: { error, error_description, error_codes: [code] } };
}
