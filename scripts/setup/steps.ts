import { resolve } from 'node:path';
import type { Config } from '../../src/config.ts';
import { error, type Finding, ok } from '../../src/doctor/finding.ts';
import { lookAtAddress } from '../../src/doctor/look-at-address.ts';
import { lookAtDisk } from '../../src/doctor/look-at-disk.ts';
import { lookAtIdentityProvider, lookAtSlackClient } from '../../src/doctor/look-at-identity-provider.ts';
import { lookAtInterfaces } from '../../src/doctor/look-at-interfaces.ts';
import { lookAtAppToken, lookAtBotToken } from '../../src/doctor/look-at-slack.ts';
import { openRedisReader } from '../../src/doctor/open-reader.ts';
import { BridgeError } from '../../src/errors.ts';
import type { HttpClient } from '../../src/http/http-client.ts';
import type { Name } from './env-draft.ts';

export type Question = { name: Name; what: string; where: string; isOptional?: true };

/** What is asked for together, and looked at as soon as it is entered. */
export type Step = {
  title: string;
  /** What to do elsewhere first. */
  first?: (config: Config) => string[];
  /** `config`: what is known so far, this step's answers included. Asked in this order, each after the one before. */
  questions: (config: Config) => Question[];
  /** With the doctor's eyes. An error asks for the values again. */
  look?: (config: Config, http: HttpClient) => Promise<Finding[]>;
};

export const ADDRESS: Step = {
  title: 'The address of this app',
  questions: () => [
    {
      name: 'PUBLIC_URL',
      what: 'Address',
      where:
        'The https address that leads to this app, from people’s browsers and from Slack: that of your proxy with TLS, such as https://bridge.example.com.',
    },
  ],
};

/** What follows the address and the manifest, in the order in which the pages at Slack and at the provider show it. */
export const STEPS = ({ isSocketMode }: { isSocketMode: boolean }): Step[] => [
  {
    title: 'The Slack app',
    questions: () => [
      { name: 'SLACK_CLIENT_ID', what: 'Client ID', where: 'Basic Information → App Credentials → Client ID.' },
      {
        name: 'SLACK_CLIENT_SECRET',
        what: 'Client Secret',
        where: 'Basic Information → App Credentials → Client Secret → Show.',
      },
    ],
    look: lookAtSlackClient,
  },
  isSocketMode
    ? {
        title: 'Socket Mode',
        questions: () => [
          {
            name: 'SLACK_APP_TOKEN',
            what: 'App-level token (xapp-…)',
            where: 'Basic Information → App-Level Tokens → Generate, with the scope connections:write.',
          },
        ],
        look: (config, http) => lookAtAppToken(config, http),
      }
    : {
        title: 'Requests from Slack',
        questions: () => [
          {
            name: 'SLACK_SIGNING_SECRET',
            what: 'Signing Secret',
            where: 'Basic Information → App Credentials → Signing Secret → Show.',
          },
        ],
        // Nobody but Slack can tell whether it is the right one: the doctor sees it in the first requests.
      },
  {
    title: 'The installation',
    first: () => ['Open Install App, press Install to Workspace, then Allow.'],
    questions: () => [
      {
        name: 'SLACK_BOT_TOKEN',
        what: 'Bot User OAuth Token (xoxb-…)',
        where: 'OAuth & Permissions → OAuth Tokens → Bot User OAuth Token.',
      },
    ],
    look: lookAtBotToken,
  },
  {
    title: 'The identity provider',
    questions: () => [
      {
        name: 'AUTH_URL',
        what: 'Address',
        where: 'What stands before the tenant in its sign-in addresses: https://login.example.com.',
      },
    ],
    look: async (config) => [
      await lookAtAddress({ who: 'The identity provider', variable: 'AUTH_URL', address: config.AUTH_URL }, config),
    ],
  },
  {
    title: 'The app registration there',
    first: ({ PUBLIC_URL }) => [
      'Register a web application there. Its redirect address is',
      `  ${PUBLIC_URL}/link/account/callback`,
      'Give it the delegated permission of the assistant service (…/Agent.Ask). Somebody with admin rights may have to',
      'grant consent.',
    ],
    questions: ({ AUTH_CLIENT_SECRET }) => [
      { name: 'AUTH_TENANT_ID', what: 'Tenant', where: 'The directory (tenant) id of the registration.' },
      { name: 'AUTH_CLIENT_ID', what: 'Client id', where: 'The application (client) id of the registration.' },
      {
        name: 'AUTH_CLIENT_SECRET',
        what: 'Client secret',
        where: 'The value of a client secret, not its id. Press Enter to use a certificate instead.',
        isOptional: true,
      },
      ...(AUTH_CLIENT_SECRET
        ? []
        : [
            {
              name: 'AUTH_CLIENT_CERTIFICATE_FILE' as const,
              what: 'Path of the PEM file',
              where: 'A file with the RSA private key and the certificate that is uploaded there.',
            },
          ]),
      {
        name: 'ASSISTANT_SCOPE',
        what: 'Scope',
        where: 'The permission of the assistant service, such as api://…/Agent.Ask.',
      },
    ],
    look: lookAtIdentityProvider,
  },
  {
    title: 'The assistant service',
    questions: () => [
      {
        name: 'ASSISTANT_BASE_URL',
        what: 'Address',
        where: 'What stands before /rest/conversations in its documentation.',
      },
    ],
    look: lookAtInterfaces,
  },
  {
    title: 'For administrators',
    first: () => ['Only where administrators are to see and limit what agents spend. Press Enter to leave it out.'],
    questions: ({ ADMIN_API_BASE_URL }) => [
      {
        name: 'ADMIN_API_BASE_URL',
        what: 'Address of the administrative interface',
        where: 'What stands before /licensing in its documentation.',
        isOptional: true,
      },
      ...(ADMIN_API_BASE_URL
        ? [
            {
              name: 'ADMIN_SCOPE' as const,
              what: 'Its scope',
              where: 'A delegated permission of the same app registration.',
            },
          ]
        : []),
      {
        name: 'ADMIN_USERS',
        what: 'Who may use /assistant-admin',
        where:
          'User ids (U…, under Copy member ID in a Slack profile), user group ids (S…) or workspace-admins, separated by commas. Enter: nobody.',
        isOptional: true,
      },
    ],
    look: async (config, http) => {
      if (!config.ADMIN_API_BASE_URL) return [];
      const [interfaces, signIn] = await Promise.all([
        lookAtInterfaces(config, http),
        lookAtIdentityProvider(config, http),
      ]);
      return [...interfaces, ...signIn];
    },
  },
  {
    title: 'Where everything is kept',
    questions: () => [
      {
        name: 'REDIS_URL',
        what: 'Address of Redis',
        where:
          'redis://… or rediss://…, for several replicas. Press Enter for one process, which keeps everything in a file.',
        isOptional: true,
      },
    ],
    look: async ({ REDIS_URL, SQLITE_PATH }) =>
      REDIS_URL
        ? lookAtRedis(REDIS_URL)
        : [ok(`The database is ${resolve(SQLITE_PATH)}.`), await lookAtDisk(SQLITE_PATH)],
  },
];

async function lookAtRedis(address: string): Promise<Finding[]> {
  try {
    const reader = await openRedisReader(address);
    await reader.close();
    return reader.findings;
  } catch (cause) {
    if (!(cause instanceof BridgeError)) throw cause;
    return [error(cause.message)];
  }
}
