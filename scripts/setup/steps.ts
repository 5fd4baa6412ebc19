import type { Config } from '../../src/config.ts';
import type { Check } from '../../src/doctor/check.ts';
import { DISK } from '../../src/doctor/checks/disk.ts';
import { ADMIN_INTERFACE, ASSISTANT_SERVICE, IDENTITY_PROVIDER } from '../../src/doctor/checks/services.ts';
import { SIGN_IN, SLACK_CLIENT } from '../../src/doctor/checks/sign-in.ts';
import { APP_TOKEN, BOT_TOKEN } from '../../src/doctor/checks/slack-tokens.ts';
import { STORE } from '../../src/doctor/checks/store.ts';
import type { Name } from './env-draft.ts';

export type Question = { name: Name; what: string; where: string; isOptional?: true };

/** Questions that are asked together, and whose answers are checked at once. */
export type Step = {
  title: string;
  /** What the person has to do elsewhere first. */
  first?: (config: Config) => string[];
  /** `config`: all answers so far, those of this step included. */
  questions: (config: Config) => Question[];
  /** The doctor's checks for these answers. After an error, the values are asked again. */
  checks?: (config: Config) => readonly Check[];
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

/** Not with SLACK_ALLOWED_TEAMS: then workspaces install the app once it runs. */
const TOKEN_QUESTION: Question = {
  name: 'SLACK_BOT_TOKEN',
  what: 'Bot User OAuth Token (xoxb-…)',
  where: 'OAuth & Permissions → OAuth Tokens → Bot User OAuth Token.',
};

/** The steps after the address and the manifest, in the order of the pages at Slack and at the identity provider. */
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
    checks: () => [SLACK_CLIENT],
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
        checks: () => [APP_TOKEN],
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
        // It cannot be checked now: the doctor sees in Slack's first requests whether it is right.
      },
  {
    title: 'The installation',
    first: () => [
      'Open Event Subscriptions, and turn on Delayed Events: after an outage Slack then goes on to deliver.',
      'Open Install App, press Install to Workspace, then Allow.',
    ],
    questions: ({ SLACK_ALLOWED_TEAMS: teams }) => (teams?.length > 0 ? [] : [TOKEN_QUESTION]),
    checks: () => [BOT_TOKEN],
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
    checks: () => [IDENTITY_PROVIDER],
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
    checks: () => [SIGN_IN],
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
    checks: () => [ASSISTANT_SERVICE],
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
    checks: ({ ADMIN_API_BASE_URL }) => (ADMIN_API_BASE_URL ? [ADMIN_INTERFACE, SIGN_IN] : []),
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
    checks: () => [STORE, DISK],
  },
];
