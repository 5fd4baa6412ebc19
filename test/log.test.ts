import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.ts';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** What a line of the log looks like. */
function logged(fields: object, message = 'something happened'): string {
  const lines: string[] = [];
  createLog('info', { write: (line: string) => void lines.push(line) }).info(fields, message);
  return lines.join('');
}

describe('a line of the log', () => {
  it.each([
    ['at the top', { access_token: 'hush-1' }],
    ['deep inside', { a: { b: { c: { refresh_token: 'hush-2' } } } }],
    ['in a list', { headers: [{ authorization: 'hush-3' }] }],
    ['with a quote in it', { client_secret: 'hu"sh\\' }],
    ['in a form', { body: 'grant_type=refresh_token&refresh_token=hush-5&client_secret=hush-6' }],
    ['in a form that begins with it', { body: 'client_assertion=hush-7&scope=all' }],
    ['of basic authorization', { note: 'sent Basic aHVzaC04aHVzaA==' }],
    ['of basic authorization that ends evenly', { note: 'sent Basic aHVzaC04aHVz' }],
    ['in the address of a Redis', { err: new Error('no answer from rediss://bridge:hush-9@redis.example:6380/1') }],
  ])('has no secret %s', (_, fields) => {
    const line = logged(fields);

    expect(line).not.toMatch(/hu"?\\?sh|aHVzaC/);
    expect(line).toContain('[secret]');
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('has nothing that looks like a token, wherever it stands', () => {
    const err = new Error('refused: xoxb-1-abc', { cause: new Error('Authorization: Bearer abc.def') });

    const line = logged({ err, note: 'eyJhbGciOiJIUzI1NiJ9.e30.sig xapp-1-A' });

    expect(line).not.toMatch(/xoxb-1|abc\.def|eyJhbGci|xapp-1/);
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('keeps the sentences of the app, which tell where a secret is found', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const sentences = files.flatMap((file) => {
      const literals = readFileSync(join(SOURCE, file), 'utf8').matchAll(/'((?:[^'\\\n]|\\.)+)'/g);
      return [...literals].map(([, text = '']) => text).filter((text) => /^[A-Z].* .* .*/.test(text));
    });

    expect(sentences.join()).toContain('Basic Information');
    expect(sentences.filter((sentence) => JSON.parse(logged({}, sentence)).msg !== sentence)).toEqual([]);
  });

  it('keeps everything else', () => {
    expect(JSON.parse(logged({ turn: 'message:T1:C1:1.2', ms: 7 }))).toMatchObject({
      level: 'info',
      turn: 'message:T1:C1:1.2',
      ms: 7,
      msg: 'something happened',
    });
  });
});
