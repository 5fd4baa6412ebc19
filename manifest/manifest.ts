import { MCP_PATH, OPTIONAL_SCOPES, toBotScopes } from '../src/slack/installations/bot-scopes.ts';
import { CALLBACKS } from '../src/slack/views/callbacks.ts';

export type ManifestOptions = { publicUrl: string; isSocketMode?: boolean; hasSlackbotDoor?: boolean };

/**
 * The manifest that the Slack app is created from: exactly what the code uses, which a test holds it to.
 * With `isSocketMode` it names no address for Slack, only those that browsers are sent back to, and that of Slackbot if it
 * may ask (`hasSlackbotDoor`).
 * https://docs.slack.dev/reference/app-manifest
 */
export function buildManifest({ publicUrl, isSocketMode = false, hasSlackbotDoor = false }: ManifestOptions) {
  const url = `${publicUrl}/slack/events`;
  const at = isSocketMode ? {} : { url };
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Assistant',
      description: 'Ask the enterprise assistant in Slack threads, with your own access rights.',
      long_description:
        'Ask the enterprise assistant in direct messages and in channel threads. Everybody signs in once and is answered with their own access rights. Answers are written by AI and can be wrong: check what matters before you rely on it. What others wrote in a thread can go along with a question. Web search can be turned off for a single message. Administrators find agents and environments, set what these may spend, and review it against what was approved.',
      background_color: '#1f3a5f',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Assistant', always_online: true },
      agent_view: {
        agent_description: 'Answers from what you have access to, and from the web. Needs you to sign in once.',
        suggested_prompts: [
          { title: 'What can you do?', message: 'help' },
          { title: 'What is on today?', message: 'What is in my calendar today, and what should I prepare for it?' },
        ],
      },
      shortcuts: [
        {
          name: 'Ask about this message',
          type: 'message',
          callback_id: CALLBACKS.askAbout,
          description: 'Ask a question about this message and its thread',
        },
        {
          name: 'Ask without web search',
          type: 'message',
          callback_id: CALLBACKS.askWithoutWeb,
          description: 'Ask what this message says, with web search off',
        },
      ],
      slash_commands: [
        {
          command: '/assistant',
          ...at,
          description: 'Your sign-in, your scheduled questions, your privacy, and help',
          usage_hint: 'help | sign-in | sign-out | status | schedule [your question] | privacy | new',
          should_escape: true,
        },
        {
          command: '/assistant-web-off',
          ...at,
          description: 'Ask with web search off for this one answer',
          usage_hint: '[your question]',
          should_escape: true,
        },
        {
          command: '/assistant-admin',
          ...at,
          description: 'What agents may spend: find, set, review',
          usage_hint:
            'agents | environments | limit [agent] | stop [agent] | run [agent] | credits [environment] | review | policy | log [words] | sign-in | help',
          should_escape: true,
        },
      ],
    },
    oauth_config: {
      redirect_urls: [`${publicUrl}/link/slack/callback`, `${publicUrl}/slack/oauth_redirect`],
      // Not `openid`: user scopes are asked for at the installation, and Slack combines those of Sign in with Slack with
      // no others. The app asks for it when somebody signs in.
      // https://docs.slack.dev/authentication/sign-in-with-slack
      scopes: { bot: toBotScopes(hasSlackbotDoor), bot_optional: Object.keys(OPTIONAL_SCOPES) },
    },
    settings: {
      event_subscriptions: { ...(!isSocketMode && { request_url: url }), bot_events: EVENTS },
      interactivity: {
        is_enabled: true,
        ...(!isSocketMode && { request_url: url, message_menu_options_url: url }),
      },
      // Whole organisations can install it, too.
      org_deploy_enabled: true,
      socket_mode_enabled: isSocketMode,
      // It cannot be switched off again, and SLACK_BOT_TOKEN cannot rotate. Tokens of /slack/install can.
      token_rotation_enabled: false,
    },
    // https://docs.slack.dev/ai/slackbot-mcp-client
    ...(hasSlackbotDoor && {
      mcp_servers: { assistant: { url: `${publicUrl}${MCP_PATH}`, auth_type: 'slack_identity_auth' } },
    }),
  };
}

const EVENTS = [
  'agent_session_stopped',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_shared',
  'channel_unshared',
  'member_joined_channel',
  'member_left_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'tokens_revoked',
  'user_change',
];
