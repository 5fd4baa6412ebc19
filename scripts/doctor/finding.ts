/** What the doctor has to say about one thing. With an `error` something does not work, or will not for long. */
export type Finding = {
  level: 'ok' | 'warning' | 'error';
  sentence: string;
  /** A line each, for what the sentence announces. */
  details?: string[];
};

export type Section = { title: string; findings: Finding[] };

export const ok = (sentence: string): Finding => ({ level: 'ok', sentence });
export const warning = (sentence: string, details: string[] = []): Finding => ({ level: 'warning', sentence, details });
export const error = (sentence: string): Finding => ({ level: 'error', sentence });

/** `1 question`, `2 questions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
