import type { ModalView } from '@slack/types';
import { openWindow } from '../window.ts';
import type { ListenerPorts } from './listener-ports.ts';

/**
 * Answers a click or a command with a window, after the acknowledgement: Slack may take longer for the window than it
 * waits for that. `fill`: what belongs in the window, where that has to be looked up; it says itself what went wrong.
 */
export async function answerWithWindow(
  { ack, body }: { ack(): Promise<void>; body: object },
  ports: Pick<ListenerPorts, 'call' | 'clicks' | 'findInstallation' | 'inBackground' | 'log'>,
  view: ModalView,
  fill?: () => Promise<ModalView>,
): Promise<void> {
  await ack();
  ports.inBackground(async () => {
    const window = await openWindow({ body, say: (content) => ports.clicks.say(body, content) }, view, ports);
    if (fill) await window?.show(await fill());
  });
}
