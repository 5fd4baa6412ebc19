// Modals. A trigger expires after three seconds, so a modal is opened at once, and filled when its content is known.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Texts } from '../languages/english.ts';
import { installationOf } from './request-source.ts';
import type { Uses } from './services.ts';
import { type Content, toTextContent } from './views/content.ts';
import { isSlackError, toCallCode } from './web/slack-errors.ts';

/** A modal that one person has open. After they close it, nothing is shown. */
export type Window = {
  readonly viewId: string;
  /** Replaces the content. Never throws: a failure is logged, and `say` tells the person. */
  show(view: ModalView): Promise<void>;
};

/**
 * Slack shows the answer to a submission when it gets the acknowledgement. A view that is shown earlier would be covered
 * for good. Most work takes longer than this anyway. Call it when the submission is acknowledged.
 */
export const letAnswerLead = () => sleep(300);

export type WindowPorts = Uses<'call' | 'findInstallation' | 'log'>;

/** `body`: what Slack sent. `say`: reaches the person if the window fails, in the words of `texts`. */
type Opening = { body: object; say(content: Content): Promise<unknown>; texts: Texts };

/**
 * Opens a window with the trigger in `body`. Call it before anything is looked up, and replace `view` later. Undefined if
 * it was not opened; the person was told.
 */
export async function openWindow(
  { body, say, texts }: Opening,
  view: ModalView,
  ports: WindowPorts,
): Promise<Window | undefined> {
  const { call, findInstallation, log } = ports;
  try {
    const { workspace } = await installationOf(body, { findInstallation });
    const { trigger_id = '' } = body as { trigger_id?: string };
    const opened = await call('views.open', workspace, { trigger_id, view });
    return windowOf({ body, viewId: opened.view?.id ?? '', say, texts }, ports);
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'window not opened');
    await say(toTextContent(texts.controls.windowNotOpened));
    return undefined;
  }
}

/** An open window by its id. Without `say`, the person is not told about failures. */
export function windowOf(
  { body, viewId, say, texts }: Pick<Opening, 'body' | 'texts'> & Partial<Pick<Opening, 'say'>> & { viewId: string },
  { call, findInstallation, log }: WindowPorts,
): Window {
  return {
    viewId,
    async show(view) {
      try {
        const { workspace } = await installationOf(body, { findInstallation });
        await call('views.update', workspace, { view_id: viewId, view });
      } catch (error) {
        // Ignored: the person has closed the window.
        if (isSlackError(error, 'not_found')) return;
        log.warn({ code: toCallCode(error) }, 'window not updated');
        // Otherwise the window would show "loading" for ever.
        await say?.(toTextContent(texts.controls.windowNotFilled));
      }
    },
  };
}
