export type Level = 'ok' | 'warning' | 'error';

/** What the doctor has to say about one thing. With an `error` something does not work, or will not for long. */
export type Finding = {
  level: Level;
  sentence: string;
  /** A line each, for what the sentence announces. */
  details?: string[];
  /** What it is about, where that is known; perhaps several, as in `A or B`. */
  variable?: string;
};

export type Section = { title: string; findings: Finding[] };

/** `1 question`, `2 questions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `All is well.`, or how much is not. */
export function sumUp(sections: Section[]): string {
  const levels = sections.flatMap(({ findings }) => findings.map(({ level }) => level));
  const errors = levels.filter((level) => level === 'error').length;
  const warnings = levels.filter((level) => level === 'warning').length;
  if (errors + warnings === 0) return 'All is well.';
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
