import type { App } from '@slack/bolt';
import { exportKept } from '../../identity/personal-data.ts';
import type { Texts } from '../../languages/english.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS, type Content } from '../views/content.ts';
import { buildLoadingModal } from '../views/modal.ts';
import {
  buildDataWindow,
  buildDeleted,
  buildDeleteWindow,
  buildExport,
  buildKept,
  toDataTopic,
} from '../views/my-data.ts';
import { patiently } from '../web/slack-errors.ts';
import { windowOf } from '../window.ts';
import { answerWithWindow, type Clicker, onSubmit, onWindowButton, orProblem } from './on-interaction.ts';
import type { ListenerPorts } from './ports.ts';

/** *Show my data*, *Export my data* and *Delete my data*, in the home tab and below `/assistant privacy`: only one's own. */
export function registerMyData(app: App, ports: ListenerPorts): void {
  onWindowButton(app, ACTIONS.showMyData, ports, {
    topic: (texts) => toDataTopic('looking', texts),
    failed: ({ home }) => home.data.failed,
    async fill({ by }, texts) {
      const [kept, zone] = await Promise.all([
        ports.personalData.read(by.person),
        ports.people.timeZoneSoon(by.workspace, by.person.user),
      ]);
      return buildKept(kept, zone ?? ports.defaultTimeZone, texts);
    },
  });

  onWindowButton(app, ACTIONS.exportMyData, ports, {
    topic: (texts) => toDataTopic('exporting', texts),
    failed: ({ home }) => home.data.exportFailed,
    async fill({ by }, texts) {
      await sendExport(by, texts, ports);
      return buildDataWindow([texts.home.data.exported], texts);
    },
  });

  app.action({ type: 'block_actions', action_id: ACTIONS.deleteMyData }, ({ ack, body }) =>
    answerWithWindow({ ack, body }, ports, buildDeleteWindow),
  );

  const deleting = {
    topic: (texts: Texts) => toDataTopic('deleting', texts),
    failed: ({ home }: Texts) => home.data.failedHalfway,
  };
  onSubmit(app, { id: CALLBACKS.deleteMyData }, ports, async ({ by, view, body, ...given }) => {
    const texts = await given.texts;
    return {
      view: buildLoadingModal(deleting.topic(texts), texts),
      async after() {
        const result = await orProblem(deleting, texts, ports, async () =>
          buildDeleted(await ports.personalData.remove(by.person), texts),
        );
        const say = (content: Content) => ports.clicks.say(body, content);
        await windowOf({ body, viewId: view.id, say, texts }, ports).show(result);
      },
    };
  });
}

async function sendExport({ person, workspace }: Clicker, texts: Texts, ports: ListenerPorts): Promise<void> {
  const recipient = { workspace, user: person.user };
  const json = exportKept(person, await ports.personalData.read(person), Date.now());
  for (const content of buildExport(json, texts)) {
    await patiently(() => ports.messenger.postDirect(recipient, content, 'notice'), PATIENCE);
  }
}

/** Slack accepts about one message per second in a channel. */
const PATIENCE = { attempts: 10, leastMs: 1_000, longestMs: 60_000 };
