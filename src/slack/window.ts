// Modals. A trigger lives for three seconds, so one is opened at once, and filled when it is known what belongs in it.
import type { ModalView } from '@slack/types';
import type { Log } from '../log.ts';
import type { FindInstallation } from './installation.ts';
import { installationOf } from './installations/request-source.ts';
import { type Content, toTextContent } from './views/content.ts';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, toCallCode } from './web/slack-errors.ts';

/** In front of one person. Who has closed it is not shown anything any more, and does not miss it. */
export type Window = {
  /** Takes the place of what is shown. Never throws: where Slack refuses it, that is logged, and told if anybody waits for it. */
  show(view: ModalView): Promise<void>;
};

export type WindowPorts = { call: CallSlack; findInstallation: FindInstallation; log: Log };

/** `body`: what Slack sent. `say`: reaches the person where they see it although the window fails. */
type Opening = { body: object; say(content: Content): Promise<unknown> };

const NOT_OPENED = 'Slack did not open the window in time, so nothing was done. Please try again.';

const NOT_FILLED =
  'Slack did not show what belongs in the window, so nothing was done. Close the window, and open it again.';

/**
 * Opens a window with the trigger in `body`. To be called before anything else is asked of anybody: what has to be
 * looked up first is shown later, in the place of `view`. Undefined: it was not opened, and the person was told.
 */
export async function openWindow(
  { body, say }: Opening,
  view: ModalView,
  ports: WindowPorts,
): Promise<Window | undefined> {
  const { call, findInstallation, log } = ports;
  try {
    const { botToken } = await installationOf(body, { findInstallation });
    const { trigger_id = '' } = body as { trigger_id?: string };
    const opened = await call('views.open', botToken, { trigger_id, view });
    return windowOf({ body, viewId: opened.view?.id ?? '', say }, ports);
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'window not opened');
    await say(toTextContent(NOT_OPENED));
    return undefined;
  }
}

/** The window with this id, that somebody has open. Without `say` it is not told what could not be shown in it. */
export function windowOf(
  { body, viewId, say }: Pick<Opening, 'body'> & Partial<Pick<Opening, 'say'>> & { viewId: string },
  { call, findInstallation, log }: WindowPorts,
): Window {
  return {
    async show(view) {
      try {
        const { botToken } = await installationOf(body, { findInstallation });
        await call('views.update', botToken, { view_id: viewId, view });
      } catch (error) {
        // The person has closed it.
        if (isSlackError(error, 'not_found')) return;
        log.warn({ code: toCallCode(error) }, 'window not updated');
        // Else it would say that it is being looked up for ever.
        await say?.(toTextContent(NOT_FILLED));
      }
    },
  };
}
