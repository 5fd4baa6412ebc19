import type { App, BlockButtonAction, BlockStaticSelectAction } from '@slack/bolt';
import { z } from 'zod';
import type { PersonalData } from '../../identity/personal-data.ts';
import type { BoltApps, EventApp } from '../bolt-app.ts';
import type { HomeOwner, HomeTab } from '../home-tab.ts';
import { installationOf, readSource } from '../installations/request-source.ts';
import type { Onboarding } from '../onboarding.ts';
import { ACTIONS } from '../views/content.ts';
import { answerClick } from './answer-buttons.ts';
import type { ListenerPorts } from './message.ts';

export type HomePorts = { homeTab: HomeTab; onboarding: Onboarding; personalData: PersonalData };

type Ports = ListenerPorts & HomePorts;

/** The app was opened: its home tab, or the direct messages with it. And what is clicked in the home tab. */
export function registerHome({ events, interactions }: BoltApps, ports: Ports): void {
  registerOpened(events, ports);
  registerDisconnect(interactions, ports);
  registerChannelAnswers(interactions, ports);
}

/** `view`: what they see in the home tab, if anything was published yet. Other fields, such as `context`, are not used. */
const openedSchema = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.string().optional(),
  view: z.looseObject({ hash: z.string().optional() }).nullish(),
});

function registerOpened(events: EventApp, ports: Ports): void {
  events.event('app_home_opened', async ({ event, body }) => {
    const { data: opened } = openedSchema.safeParse(event);
    if (!opened) return;
    const owner = await readOwner(body, opened.user, ports);
    const { channel, view } = opened;
    ports.inBackground(() =>
      opened.tab === 'home' ? ports.homeTab.open(owner, view?.hash) : ports.onboarding.welcome({ ...owner, channel }),
    );
  });
}

/** The home tab shows the result; there is no other message. */
function registerDisconnect(app: App, ports: Ports): void {
  app.action<BlockButtonAction>({ type: 'block_actions', action_id: ACTIONS.homeSignOut }, (click) =>
    answerClick(click, ports, async () => {
      const owner = await readOwner(click.body, click.body.user.id, ports);
      await ports.linkFlow.unlink(owner, 'assistant');
      showAgain(owner, click.body, ports);
      return undefined;
    }),
  );
}

function registerChannelAnswers(app: App, ports: Ports): void {
  const filter = { type: 'block_actions', action_id: ACTIONS.channelAnswers } as const;
  app.action<BlockStaticSelectAction>(filter, (click) =>
    answerClick(click, ports, async () => {
      const owner = await readOwner(click.body, click.body.user.id, ports);
      const chosen = click.body.actions[0]?.selected_option?.value === 'private' ? 'private' : 'thread';
      try {
        await ports.personalData.chooseChannelAnswers(owner, chosen);
      } finally {
        // If it could not be written, the tab must not show what was chosen.
        showAgain(owner, click.body, ports);
      }
      return undefined;
    }),
  );
}

function showAgain(owner: HomeOwner, { view }: { view?: { hash?: string } | undefined }, ports: Ports): void {
  ports.inBackground(() => ports.homeTab.open(owner, view?.hash));
}

async function readOwner(body: object, user: string, ports: Ports): Promise<HomeOwner> {
  const { team, workspace } = await installationOf(body, ports);
  const { workspace: homeTeam } = readSource(body);
  return { team, workspace, user, ...(homeTeam !== workspace && { homeTeam }) };
}
