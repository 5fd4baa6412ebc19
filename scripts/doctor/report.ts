import { type Section, sumUp } from '../../src/doctor/finding.ts';
import { VERSION } from '../../src/version.ts';

/** What each level is shown as. */
export const MARKS = { ok: '✓', warning: '!', error: '✗' } as const;

/** The release that looks, the sections as a person reads them, and the sum at the end. */
export function renderReport(sections: Section[]): string {
  const blocks = sections
    .filter(({ findings }) => findings.length > 0)
    .map(({ title, findings }) => {
      const lines = findings.flatMap(({ level, sentence, details = [] }) => [
        `  ${MARKS[level]} ${toPrintable(sentence)}`,
        ...details.map((detail) => `      ${toPrintable(detail)}`),
      ]);
      return [title, ...lines].join('\n');
    });
  return [`Assistant Bridge ${VERSION}`, ...blocks, sumUp(sections)].join('\n\n');
}

export function hasErrors(sections: Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ level }) => level === 'error'));
}

/** Some of it comes from elsewhere, and a terminal takes orders from some characters. */
function toPrintable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
