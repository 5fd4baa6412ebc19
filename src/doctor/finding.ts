/** What the doctor has to say about one thing. With an `error` something does not work, or will not for long. */
export type Finding = {
  level: 'ok' | 'warning' | 'error';
  sentence: string;
  /** A line each, for what the sentence announces. */
  details?: string[];
  /** What it is about, where that is known; perhaps several, as in `A or B`. */
  variable?: string;
};

export type Section = { title: string; findings: Finding[] };

export const ok = (sentence: string, details: string[] = []): Finding => ({ level: 'ok', sentence, details });
export const warning = (sentence: string, details: string[] = []): Finding => ({ level: 'warning', sentence, details });
export const error = (sentence: string, details: string[] = []): Finding => ({ level: 'error', sentence, details });

/** `1 question`, `2 questions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Whether the app should be running. Before the first start it is no fault that nothing listens or was ever received. */
export type Stage = 'running' | 'before start';

/** `All is well.`, or how much is not. */
export function sumUp(sections: Section[]): string {
  const levels = sections.flatMap(({ findings }) => findings.map(({ level }) => level));
  const errors = levels.filter((level) => level === 'error').length;
  const warnings = levels.filter((level) => level === 'warning').length;
  if (errors + warnings === 0) return 'All is well.';
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
