import type { BlockButtonAction } from '@slack/bolt';
import { z } from 'zod';
import type { SlackApp } from '../bolt-app.ts';
import { ACTIONS } from '../views/content.ts';
import { type Clicker, onButton, toHomeOwner } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';
import { onEvent } from './slack-events.ts';

/** `view`: what they see in the home tab, if anything was published yet. Other fields, such as `context`, are not used. */
const openedSchema = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.string().optional(),
  view: z.looseObject({ hash: z.string().optional() }).nullish(),
});

/** Opening the app's home tab or direct messages, and the controls of the home tab, which shows their results. */
export function registerHome({ events, interactions: app }: SlackApp, ports: ListenerPorts): void {
  onEvent(events, 'app_home_opened', { form: openedSchema, ports }, (opened, { team, workspace }, body) => {
    const { user, channel, view } = opened;
    const owner = toHomeOwner({ team, user }, workspace, body);
    ports.inBackground(() =>
      opened.tab === 'home' ? ports.homeTab.open(owner, view?.hash) : ports.onboarding.welcome({ ...owner, channel }),
    );
  });

  onButton(app, ACTIONS.homeSignOut, ports, async ({ by, body }) => {
    await ports.linkFlow.unlink(by.person, 'assistant');
    showAgain(by, body, ports);
    return undefined;
  });

  onButton(app, ACTIONS.channelAnswers, ports, async ({ by, body, value }) => {
    try {
      await ports.personalData.chooseChannelAnswers(by.person, value === 'private' ? 'private' : 'thread');
    } finally {
      // If it could not be written, the tab must not show what was chosen.
      showAgain(by, body, ports);
    }
    return undefined;
  });
}

function showAgain({ person, workspace }: Clicker, body: BlockButtonAction, ports: ListenerPorts): void {
  ports.inBackground(() => ports.homeTab.open(toHomeOwner(person, workspace, body), body.view?.hash));
}
