// What a search offers while somebody types. Fits Slack's limits whatever the names are like.
import type { PlainTextOption } from '@slack/types';
import { type Candidate, searchCandidates } from '../../../../governance/search-inventory.ts';
import type { Options } from '../../../../governance/shell/admin-shell.ts';
import { formatCredits } from '../../../../governance/shell/values.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../../web/limits.ts';
import { buildPlainText } from '../../content.ts';
import { toLine } from '../../shown-text.ts';

/** With a part of the name, so that the environment is seen as well. */
const MAX_NAME_LENGTH = 45;
/** The value of what stands among options and is none. Slack has no way to show a sentence there that cannot be picked. */
export const NOTE = 'note';

/** Slack itself says that there are no results. */
export const NO_OPTIONS: Options = { options: [] };

export function buildOptions(
  { candidates, truncated }: { candidates: readonly Candidate[]; truncated: boolean },
  typed: string,
): Options {
  const { found, total } = searchCandidates(candidates, typed, MAX_OPTIONS);
  if (found.length === 0)
    return truncated ? buildNote('Nothing found', 'The service did not list everything') : NO_OPTIONS;
  const options = found.map(buildOption);
  const notes = [
    ...(total > found.length ? [`The first ${found.length} of ${formatCredits(total)}: type more of the name`] : []),
    ...(truncated ? ['Not everything is listed'] : []),
  ];
  if (notes.length === 0) return { options };
  return { option_groups: [{ label: buildPlainText(toLine(notes.join(' · '), MAX_OPTION_TEXT_LENGTH)), options }] };
}

/** Where there is nothing to offer, why. Whoever picks it anyway is told at the field: see NOTE. */
export function buildNote(label: string, text: string): Options {
  return { option_groups: [{ label: buildPlainText(label), options: [{ text: buildPlainText(text), value: NOTE }] }] };
}

function buildOption({ key, id, name, where }: Candidate): PlainTextOption {
  const shown =
    toLine(name, where === undefined ? MAX_OPTION_TEXT_LENGTH : MAX_NAME_LENGTH) || toLine(id, MAX_NAME_LENGTH);
  const text = where === undefined ? shown : toLine(`${shown} · ${where}`, MAX_OPTION_TEXT_LENGTH);
  // Names may be alike, ids are not.
  return {
    text: buildPlainText(text || '?'),
    value: key,
    description: buildPlainText(toLine(id, MAX_OPTION_TEXT_LENGTH) || '?'),
  };
}
