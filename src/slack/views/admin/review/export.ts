// The register with what was decided in Slack, as text: the app may not upload files.
import type { RichTextBlock } from '@slack/types';
import type { Content } from '../../content.ts';
import { buildAdminText } from '../admin-messages.ts';
import { formatCount } from './words.ts';

export type ExportKind =
  /** All of the register. */
  | { kind: 'whole' }
  /** The entries that change alone. `left`: how many more there are. `tooLong`: those with a line no message takes. */
  | { kind: 'entries'; count: number; left: number; tooLong: number };

/** What is sent before the parts. */
export function buildExportIntro(
  what: ExportKind,
  { decisions, parts }: { decisions: number; parts: number },
): Content {
  const made = `*The register with ${formatCount(decisions, 'decision')} made in Slack*`;
  const where =
    parts === 1 ? 'in the message below' : `in the ${formatCount(parts, 'message')} below, one after the other`;
  const lines =
    what.kind === 'whole'
      ? [`${made}: all of it, ${where}. Look at what changed before you put it into the file.`]
      : [
          `${made} is too long for Slack. ${formatCount(what.count, 'entry', 'entries')} of it ${where}: put each under \`environments\` into the file, in the place of the entry with the same \`id\` where there is one.`,
          ...(what.left === 0
            ? []
            : [
                `:warning: ${formatCount(what.left, 'entry', 'entries')} more did not fit. Put these into the file first; what it says by then about environments and limits is not exported again.`,
              ]),
          ...(what.tooLong === 0
            ? []
            : [
                `:warning: ${formatCount(what.tooLong, 'entry', 'entries')} cannot be sent, because a line in it is longer than a message may be. Break up the long comments in the file, and export again.`,
              ]),
        ];
  return buildAdminText([...lines, 'This app never writes the file itself.'].join('\n'));
}

/** Literal: nothing in it is read as markup, and it is copied as it is. */
export function buildExportPart(text: string, { number, parts }: { number: number; parts: number }): Content {
  const block: RichTextBlock = {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }], border: 0 }],
  };
  return { text: `Part ${number} of ${parts}`, blocks: [block] };
}
