import type { Config } from '../../src/config.ts';
import type { Check } from '../../src/doctor/check.ts';
import { DISK } from '../../src/doctor/checks/disk.ts';
import { ADMIN_INTERFACE, ASSISTANT_SERVICE, IDENTITY_PROVIDER } from '../../src/doctor/checks/services.ts';
import { SIGN_IN, SLACK_CLIENT } from '../../src/doctor/checks/sign-in.ts';
import { APP_TOKEN, BOT_TOKEN } from '../../src/doctor/checks/slack-tokens.ts';
import { STORE } from '../../src/doctor/checks/store.ts';
import type { Name } from './env-draft.ts';

/** `what`: the words before the entry. `where`: where to find the value. `isOptional`: Enter leaves it out. */
export type Question = { name: Name; what: string; where: string; isOptional?: boolean };

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

type Asked = Partial<Record<Name, [what: string, where: string, leaveOut?: 'optional']>>;

const QUESTIONS = {
  PUBLIC_URL: [
    'Address',
    'The https address that leads to this app, from people’s browsers and from Slack: that of your proxy with TLS, such as https://bridge.example.com.',
  ],
  SLACK_CLIENT_ID: ['Client ID', 'Basic Information → App Credentials → Client ID.'],
  SLACK_CLIENT_SECRET: ['Client Secret', 'Basic Information → App Credentials → Client Secret → Show.'],
  SLACK_APP_TOKEN: [
    'App-level token (xapp-…)',
    'Basic Information → App-Level Tokens → Generate, with the scope connections:write.',
  ],
  SLACK_SIGNING_SECRET: ['Signing Secret', 'Basic Information → App Credentials → Signing Secret → Show.'],
  SLACK_BOT_TOKEN: ['Bot User OAuth Token (xoxb-…)', 'OAuth & Permissions → OAuth Tokens → Bot User OAuth Token.'],
  AUTH_URL: ['Address', 'What stands before the tenant in its sign-in addresses: https://login.example.com.'],
  AUTH_TENANT_ID: ['Tenant', 'The directory (tenant) id of the registration.'],
  AUTH_CLIENT_ID: ['Client id', 'The application (client) id of the registration.'],
  AUTH_CLIENT_SECRET: [
    'Client secret',
    'The value of a client secret, not its id. Press Enter to use a certificate instead.',
    'optional',
  ],
  AUTH_CLIENT_CERTIFICATE_FILE: [
    'Path of the PEM file',
    'A file with the RSA private key and the certificate that is uploaded there.',
  ],
  ASSISTANT_SCOPE: ['Scope', 'The permission of the assistant service, such as api://…/Agent.Ask.'],
  ASSISTANT_BASE_URL: ['Address', 'What stands before /rest/conversations in its documentation.'],
  ADMIN_API_BASE_URL: [
    'Address of the administrative interface',
    'What stands before /licensing in its documentation.',
    'optional',
  ],
  ADMIN_SCOPE: ['Its scope', 'A delegated permission of the same app registration.'],
  ADMIN_USERS: [
    'Who may use /assistant-admin',
    'User ids (U…, under Copy member ID in a Slack profile), user group ids (S…) or workspace-admins, separated by commas. Enter: nobody.',
    'optional',
  ],
  REDIS_URL: [
    'Address of Redis',
    'redis://… or rediss://…, for several replicas. Press Enter for one process, which keeps everything in a file.',
    'optional',
  ],
} satisfies Asked;

function ask(...names: (keyof typeof QUESTIONS)[]): Question[] {
  const all: Asked = QUESTIONS;
  return names.map((name) => {
    const [what = '', where = '', leaveOut] = all[name] ?? [];
    return { name, what, where, isOptional: leaveOut === 'optional' };
  });
}

export const ADDRESS: Step = { title: 'The address of this app', questions: () => ask('PUBLIC_URL') };

/** The steps after the address and the manifest, in the order of the pages at Slack and at the identity provider. */
export const STEPS = ({ isSocketMode }: { isSocketMode: boolean }): Step[] => [
  {
    title: 'The Slack app',
    questions: () => ask('SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'),
    checks: () => [SLACK_CLIENT],
  },
  isSocketMode
    ? { title: 'Socket Mode', questions: () => ask('SLACK_APP_TOKEN'), checks: () => [APP_TOKEN] }
    : // It cannot be checked now: the doctor sees in Slack's first requests whether it is right.
      { title: 'Requests from Slack', questions: () => ask('SLACK_SIGNING_SECRET') },
  {
    title: 'The installation',
    first: () => [
      'Open Event Subscriptions, and turn on Delayed Events: after an outage Slack then goes on to deliver.',
      'Open Install App, press Install to Workspace, then Allow.',
    ],
    // Not with SLACK_ALLOWED_TEAMS: then workspaces install the app once it runs.
    questions: ({ SLACK_ALLOWED_TEAMS: teams }) => (teams?.length > 0 ? [] : ask('SLACK_BOT_TOKEN')),
    checks: () => [BOT_TOKEN],
  },
  { title: 'The identity provider', questions: () => ask('AUTH_URL'), checks: () => [IDENTITY_PROVIDER] },
  {
    title: 'The app registration there',
    first: ({ PUBLIC_URL }) => [
      'Register a web application there. Its redirect address is',
      `  ${PUBLIC_URL}/link/account/callback`,
      'Give it the delegated permission of the assistant service (…/Agent.Ask). Somebody with admin rights may have to',
      'grant consent.',
    ],
    questions: ({ AUTH_CLIENT_SECRET }) => [
      ...ask('AUTH_TENANT_ID', 'AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET'),
      ...(AUTH_CLIENT_SECRET ? [] : ask('AUTH_CLIENT_CERTIFICATE_FILE')),
      ...ask('ASSISTANT_SCOPE'),
    ],
    checks: () => [SIGN_IN],
  },
  { title: 'The assistant service', questions: () => ask('ASSISTANT_BASE_URL'), checks: () => [ASSISTANT_SERVICE] },
  {
    title: 'For administrators',
    first: () => ['Only where administrators are to see and limit what agents spend. Press Enter to leave it out.'],
    questions: ({ ADMIN_API_BASE_URL }) => [
      ...ask('ADMIN_API_BASE_URL'),
      ...(ADMIN_API_BASE_URL ? ask('ADMIN_SCOPE') : []),
      ...ask('ADMIN_USERS'),
    ],
    checks: ({ ADMIN_API_BASE_URL }) => (ADMIN_API_BASE_URL ? [ADMIN_INTERFACE, SIGN_IN] : []),
  },
  { title: 'Where everything is kept', questions: () => ask('REDIS_URL'), checks: () => [STORE, DISK] },
];
