// Names as people see them: what is in them and shows nothing would make two names look alike, or leave a hole.
import { toText } from '../admin-api/wire-values.ts';

/** Zero-width characters, soft hyphens, fillers: https://www.unicode.org/reports/tr39/#Identifier_Characters */
const INVISIBLE = /[\u00ad\u061c\u115f\u1160\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\uffa0]|\u034f/g;

/** Joiners join where the script has it so, and emoji; elsewhere they do nothing that one could see. */
const STRAY_JOINER = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d]/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Undefined where nothing of it shows: then it is known by its id. */
export function toName(value: unknown): string | undefined {
  const name = toText(value)?.replace(INVISIBLE, '').replace(STRAY_JOINER, '');
  return name !== undefined && VISIBLE.test(name) ? name : undefined;
}
