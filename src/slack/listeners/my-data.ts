import type { App, BlockButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Person } from '../../conversation/question.ts';
import { TransientError } from '../../errors.ts';
import { exportKept } from '../../identity/personal-data.ts';
import type { Texts } from '../../languages/english.ts';
import { installationOf } from '../installations/request-source.ts';
import type { Messenger } from '../messenger.ts';
import { textsFor } from '../texts-for.ts';
import { CALLBACKS } from '../views/callbacks.ts';
import { ACTIONS } from '../views/content.ts';
import {
  buildDataLoading,
  buildDataWindow,
  buildDeleted,
  buildDeleteWindow,
  buildExport,
  buildKept,
} from '../views/my-data.ts';
import { patiently } from '../web/slack-errors.ts';
import { windowOf } from '../window.ts';
import { answerWithWindow } from './answer-buttons.ts';
import type { HomePorts } from './home.ts';
import type { ListenerPorts } from './message.ts';

type Ports = ListenerPorts & HomePorts & { messenger: Pick<Messenger, 'postDirect'> };

/** The person who clicked. They see, export and delete only their own data. */
type Clicker = { person: Person; workspace: string; texts: Texts };

/** *Show my data*, *Export my data* and *Delete my data*, in the home tab and below `/assistant privacy`. */
export function registerMyData(app: App, ports: Ports): void {
  const register = (
    actionId: string,
    build: (texts: Texts) => ModalView,
    fill?: (clicker: Clicker) => Promise<ModalView>,
  ) =>
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, (click) =>
      answerWithWindow(click, ports, build, fill && (async () => fill(await readClicker(click.body, ports)))),
    );

  register(
    ACTIONS.showMyData,
    (texts) => buildDataLoading('looking', texts),
    (clicker) => orSay('failed', clicker, ports, () => show(clicker, ports)),
  );
  register(
    ACTIONS.exportMyData,
    (texts) => buildDataLoading('exporting', texts),
    (clicker) => orSay('exportFailed', clicker, ports, () => sendExport(clicker, ports)),
  );
  register(ACTIONS.deleteMyData, buildDeleteWindow);

  app.view({ callback_id: CALLBACKS.deleteMyData, type: 'view_submission' }, async ({ view, body, ack }) => {
    const clicker = await readClicker(body, ports);
    await ack({ response_action: 'update', view: buildDataLoading('deleting', clicker.texts) });
    ports.inBackground(async () => {
      const result = await orSay('failedHalfway', clicker, ports, async () =>
        buildDeleted(await ports.personalData.remove(clicker.person), clicker.texts),
      );
      await windowOf({ body, viewId: view.id, texts: clicker.texts }, ports).show(result);
    });
  });
}

async function readClicker(body: { user: { id: string } }, ports: Ports): Promise<Clicker> {
  const [{ team, workspace }, texts] = await Promise.all([installationOf(body, ports), textsFor(body, ports)]);
  return { person: { team, user: body.user.id }, workspace, texts };
}

async function show({ person, workspace, texts }: Clicker, ports: Ports): Promise<ModalView> {
  const [kept, zone] = await Promise.all([
    ports.personalData.read(person),
    ports.people.timeZoneSoon(workspace, person.user),
  ]);
  return buildKept(kept, zone ?? ports.defaultTimeZone, texts);
}

async function sendExport({ person, workspace, texts }: Clicker, ports: Ports): Promise<ModalView> {
  const json = exportKept(person, await ports.personalData.read(person), Date.now());
  for (const content of buildExport(json, texts)) {
    await patiently(() => ports.messenger.postDirect({ workspace, user: person.user }, content, 'notice'), PATIENCE);
  }
  return buildDataWindow([texts.home.data.exported], texts);
}

/** Slack accepts about one message per second in a channel. */
const PATIENCE = { attempts: 10, leastMs: 1_000, longestMs: 60_000 };

type Failure = 'failed' | 'failedHalfway' | 'exportFailed';

/** Whatever fails, the window must show a text. */
async function orSay(
  failure: Failure,
  { texts }: Clicker,
  { log }: Ports,
  work: () => Promise<ModalView>,
): Promise<ModalView> {
  try {
    return await work();
  } catch (error) {
    log[error instanceof TransientError ? 'warn' : 'error']({ err: error }, 'data of a person not shown or deleted');
    return buildDataWindow([texts.home.data[failure]], texts);
  }
}
