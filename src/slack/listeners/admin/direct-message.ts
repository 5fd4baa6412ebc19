import type { Caller } from '../../../governance/is-admin.ts';
import type { Log } from '../../../log.ts';
import type { Messenger } from '../../messenger.ts';
import type { Content } from '../../views/content.ts';
import { toCallCode } from '../../web/slack-errors.ts';

export type WritePorts = { messenger: Pick<Messenger, 'postDirect'>; log: Log };

/** Writes to an admin who did not ask for it now. Never throws; false: it did not arrive, which is logged. */
export async function tryToWrite(
  recipient: Pick<Caller, 'workspace' | 'user'>,
  content: Content,
  { messenger, log }: WritePorts,
): Promise<boolean> {
  try {
    await messenger.postDirect(recipient, content);
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'admin not written to');
    return false;
  }
}
