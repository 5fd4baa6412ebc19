import { type Finding, type Section, sumUp } from '../../src/doctor/check.ts';
import { VERSION } from '../../src/version.ts';
import { toPrintable } from '../printable.ts';

const MARKS = { ok: '✓', warning: '!', error: '✗' } as const;

/** The version of the app, the sections, and the sum at the end. */
export function renderReport(sections: Section[]): string {
  const blocks = sections
    .filter(({ findings }) => findings.length > 0)
    .map(({ title, findings }) => [title, ...findings.flatMap(renderFinding)].join('\n'));
  return [`Assistant Bridge ${VERSION}`, ...blocks, sumUp(sections)].join('\n\n');
}

export function renderFinding({ level, sentence, details = [] }: Finding): string[] {
  return [`  ${MARKS[level]} ${sentence}`, ...details.map((detail) => `      ${detail}`)].map(toPrintable);
}

export function hasErrors(sections: Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ level }) => level === 'error'));
}
