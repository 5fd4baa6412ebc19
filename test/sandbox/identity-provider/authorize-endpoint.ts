// In front of the authorize endpoint: the ledger, the faults, and two habits of the contract's identity provider.
import { randomUUID } from 'node:crypto';
import type { KoaContextWithOIDC as Context } from 'oidc-provider';
import { HOSTILE_DESCRIPTION } from './faults.ts';
import type { IdentityWorld } from './options.ts';

export function createAuthorizeStep(world: IdentityWorld) {
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    if (context.method !== 'GET' || !context.path.startsWith(world.paths.authorize)) return next();
    if (context.path !== world.paths.authorize) return finishSignIn(context, next);
    const query = new URLSearchParams(context.querystring);
    world.ledger.addAuthorize(query);
    const redirectUri = query.get('redirect_uri') ?? '';
    const isRegistered = world.settings.redirectUris.includes(redirectUri);
    if (isRegistered && world.faults.take((fault) => fault === 'access-denied')) {
      return context.redirect(toDenial(redirectUri, query.get('state')));
    }
    context.querystring = toStandardQuery(query).toString();
    return next();
  };
}

// oidc-provider drops offline_access where consent is not prompted for (OpenID Connect Core, 11); the model of the
// contract's provider does not, and knows `select_account`, which is a sign-in page here.
function toStandardQuery(query: URLSearchParams): URLSearchParams {
  const prompts = new Set((query.get('prompt') ?? '').split(' ').filter((one) => one !== ''));
  if (prompts.delete('select_account')) prompts.add('login');
  if (!prompts.has('none')) prompts.add('consent');
  const changed = new URLSearchParams(query);
  changed.set('prompt', [...prompts].join(' '));
  return changed;
}

// Who is signed in is told by the sandbox's own cookie alone, so that a browser can change hands: the session that
// oidc-provider keeps never reaches the browser.
async function finishSignIn(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  const cookies = [context.res.getHeader('set-cookie') ?? []].flat().map(String);
  context.res.setHeader(
    'set-cookie',
    cookies.filter((cookie) => !cookie.startsWith('_session')),
  );
}

function toDenial(redirectUri: string, state: string | null): string {
  const target = new URL(redirectUri);
  target.searchParams.set('error', 'access_denied');
  target.searchParams.set('error_subcode', 'cancel');
  target.searchParams.set('error_description', HOSTILE_DESCRIPTION);
  if (state !== null) target.searchParams.set('state', state);
  target.searchParams.set('session_state', randomUUID());
  return target.href;
}
