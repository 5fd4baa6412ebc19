import type { UploadRefusal } from '../conversation/question.ts';
import { download } from './quotes/text-files.ts';
import type { Uses } from './services.ts';
import { isSlackError } from './web/slack-errors.ts';

export type ReadFile = (
  from: { workspace: string; file: string },
  maxBytes: number,
) => Promise<{ name: string; text: string } | { refused: UploadRefusal }>;

/** Reads a text file that is kept by Slack, by its id. Never throws: what cannot be read is refused with a reason. */
export function createReadFile(ports: Uses<'call' | 'http' | 'apiUrl' | 'findInstallation'>): ReadFile {
  return async ({ workspace, file: id }, maxBytes) => {
    try {
      const installation = await ports.findInstallation(workspace);
      // What a payload says of a file is not relied on.
      const { file = {} } = await ports.call('files.info', installation.botToken, { file: id });
      const {
        name = '',
        url_private: url = '',
        size = 0,
      } = file as { name?: string; url_private?: string; size?: number };
      if (size > maxBytes) return { refused: 'size' };
      const text = await download(url, installation, ports, maxBytes);
      return typeof text === 'string' ? { name, text } : { refused: text.why };
    } catch (error) {
      return { refused: isSlackError(error, 'missing_scope') ? 'scope' : 'unreachable' };
    }
  };
}
