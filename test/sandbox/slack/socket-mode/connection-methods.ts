/** https://docs.slack.dev/reference/methods/apps.connections.open */
import type { OpenId } from '../openid/openid.ts';
import type { Exchange } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';

export function createConnectionMethods(world: World): OpenId {
  return {
    methods: new Map([
      [
        'apps.connections.open',
        async ({ request }: Exchange) => {
          // Only as a header: as an argument it is refused.
          const token = request.headers.authorization?.replace(/^Bearer /i, '');
          if (token === undefined) throw new SlackApiError('not_authed');
          if (token.startsWith('xoxb-')) throw new SlackApiError('not_allowed_token_type');
          if (token !== world.credentials.appToken) throw new SlackApiError('invalid_auth');
          return { ok: true, url: world.url.replace(/^http/, 'ws') + world.socketMode.issueTicket() };
        },
      ],
    ]),
    handle: async () => false,
  };
}
