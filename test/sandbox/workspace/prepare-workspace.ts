import type { Sandbox } from '../sandbox.ts';
import { openSlackbot } from '../slack/people/slackbot.ts';

const TIME_ZONES = { U0ANA: 'Europe/Berlin', U0BEN: 'America/New_York', U0KIM: 'Asia/Tokyo' };
const LENA = {
  id: 'U0LENA',
  name: 'lena',
  realName: 'Lena Lindner',
  email: 'lena@acme.example',
  tz: 'Europe/Berlin',
  locale: 'de-DE',
};

/** People far apart, one of them German, and the app under the name that its manifest gives it. */
export function prepareWorkspace({ slack }: Sandbox): void {
  for (const [id, tz] of Object.entries(TIME_ZONES)) Object.assign(slack.workspace.user(id), { tz });
  slack.workspace.addUser(LENA);
  for (const channel of ['C0GENERAL', 'C0PROJECT']) slack.workspace.channel(channel).members.add(LENA.id);
  const asked = slack.registration.mcpServer ? [...Object.keys(TIME_ZONES), LENA.id] : [];
  for (const id of asked) openSlackbot(slack.workspace, id);
  const realName = slack.registration.features.bot_user?.display_name;
  if (realName) Object.assign(slack.workspace.user(slack.botUserId), { realName, name: realName.toLowerCase() });
}
