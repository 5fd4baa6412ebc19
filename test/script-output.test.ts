// What scripts print.
import { expect, it } from 'vitest';
import { toPrintable } from '../scripts/printable.ts';
import { toSentence } from '../scripts/run-command.ts';
import { UserError } from '../src/errors.ts';

it('has no control characters of others, and keeps what joins letters and emoji', () => {
  expect(toPrintable('a\x1b[31m\x9b\u202e\u200bb')).toBe('a?[31m???b');
  expect(toPrintable('\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e')).toBe(
    '\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e',
  );
});

it('says where a fault was, and of what we expect the sentence alone', () => {
  expect(toSentence(new TypeError('odd'), undefined)).toMatch(/^It failed: TypeError: odd\n +at .*script-output/);
  expect(toSentence(new UserError('no_file', 'There is no file.'), undefined)).toBe('There is no file.');
});
