export type Level = 'ok' | 'warning' | 'error';

/** One result of the doctor. `error`: something does not work, or will soon stop working. */
export type Finding = {
  level: Level;
  sentence: string;
  /** Lines below the sentence. */
  details?: string[];
  /** The variable that it is about, if known. Perhaps several, as in `A or B`. */
  variable?: string;
};

export type Section = { title: string; findings: Finding[] };

/** `1 question`, `2 questions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `All is well.`, or the numbers of errors and warnings. */
export function sumUp(sections: Section[]): string {
  const levels = sections.flatMap(({ findings }) => findings.map(({ level }) => level));
  const errors = levels.filter((level) => level === 'error').length;
  const warnings = levels.filter((level) => level === 'warning').length;
  if (errors + warnings === 0) return 'All is well.';
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
