// What is opened of one environment from a list: it comes as a message of its own, and the list stays.
import type { App, BlockAction, BlockButtonAction, StaticSelectAction } from '@slack/bolt';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { type EnvironmentValue, parseEnvironmentValue } from '../../../views/admin/environment-value.ts';
import { AGENTS_OPEN_ACTION, USAGE_OPEN_ACTION } from '../../../views/admin/lists/environments-message.ts';
import { USAGE_CHOOSE_ACTION } from '../../../views/admin/lists/usage-message.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { admit } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';
import { type ListMessage, type Look, PRESS_AGAIN, sayLooked } from './admin-list.ts';
import { AGENTS } from './agents.ts';
import { readUsageOf } from './usage.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin environments`.';

type Read = (environment: EnvironmentValue, look: Look, ports: AdminPorts) => Promise<ListMessage>;

/** *Usage* and *Agents* under an environment, and the choice of one of those in the overview of usage. */
export function registerEnvironmentButtons(app: App, ports: AdminPorts): void {
  const buttons: [string, Read][] = [
    [USAGE_OPEN_ACTION, readUsageOf],
    [AGENTS_OPEN_ACTION, readAgentsOf],
  ];
  for (const [actionId, read] of buttons) {
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
      await ack();
      open(body, { environment: parseEnvironmentValue(body.actions[0]?.value ?? ''), read }, ports);
    });
  }
  const choice = { type: 'block_actions', action_id: USAGE_CHOOSE_ACTION } as const;
  app.action<BlockAction<StaticSelectAction>>(choice, async ({ body, ack }) => {
    await ack();
    const option = body.actions[0]?.selected_option;
    const environment = option ? { environmentId: option.value, name: option.text.text } : undefined;
    open(body, { environment, read: readUsageOf }, ports);
  });
}

type Clicked = { user: { id: string } };

function open(
  body: Clicked,
  { environment, read }: { environment: EnvironmentValue | undefined; read: Read },
  ports: AdminPorts,
): void {
  const say = createSay(body, ports);
  startSaying(
    say,
    ports,
    async () => {
      const caller = await admit({ body, user: body.user.id }, ports);
      if (!environment) return void (await say(buildAdminText(OUT_OF_DATE)));
      await sayLooked((look) => read(environment, look, ports), { caller, say }, ports);
    },
    PRESS_AGAIN,
  );
}

function readAgentsOf({ environmentId }: EnvironmentValue, look: Look, ports: AdminPorts): Promise<ListMessage> {
  return AGENTS.read({ query: `env:"${environmentId}"`, page: 0 }, look, ports);
}
