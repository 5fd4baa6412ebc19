/**
 * The scopes of the bot token. The manifest must name the same ones: Slack grants no others. No imports here: they are read
 * before packages are installed.
 */
export const BOT_SCOPES = [
  'app_mentions:read', // app_mention
  'assistant:write', // the agent surface, and the status while a question is worked on
  'channels:history', // message.channels, and reading one's own reply back after a crash
  'channels:read', // is the channel shared with another organisation, and who are its members
  'chat:write',
  'commands',
  'files:read', // text files uploaded with a question, and policies that administrators import
  'files:write', // exports of administrators, and plans to approve, in their direct messages
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write', // conversations.open: sign-in prompts and private answers
  'mpim:history',
  'mpim:read',
  'usergroups:read', // user groups in ADMIN_USERS and AUDIT_USERS, and the names of those that a question mentions
  'users:read', // who is a guest, and everybody's time zone
  'users:read.email', // owners that the policy names by their address
];

/** Where Slackbot asks the app. */
export const MCP_PATH = '/slack/mcp';

/** Only with SLACKBOT_DOOR: see mcp-door.ts. */
const SLACKBOT_SCOPE = 'mcp:connect';

export function toBotScopes(hasSlackbotDoor: boolean): string[] {
  return hasSlackbotDoor ? [...BOT_SCOPES, SLACKBOT_SCOPE] : BOT_SCOPES;
}

/**
 * The person who installs or approves the app may leave these out. The value says what does not work without it.
 * https://docs.slack.dev/changelog/2026/03/16/optional-scopes
 */
export const OPTIONAL_SCOPES: Record<string, string> = {
  'files:read':
    'text files uploaded to Slack cannot be sent with a question, and policies cannot be imported from a text file',
  'files:write': 'lists and reports cannot be exported, and no second approver can be asked about a long plan',
  'usergroups:read':
    'user groups in ADMIN_USERS and AUDIT_USERS count as nobody, and questions do not name those that they mention',
  'users:read.email': 'owners that the policy names by their address are not found',
};
