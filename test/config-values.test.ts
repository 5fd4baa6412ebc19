import { describe, expect, it } from 'vitest';
import { address, cronPattern, hosts, issuer, percentLevels, signingSecret } from '../src/config-values.ts';

describe('a time to review', () => {
  it.each(['0 7 * * 1-5', '*/10 * * * * *', '0 7 1 * *'])('may be %s', (pattern) => {
    expect(cronPattern(pattern)).toBe(pattern);
  });

  it.each([
    ['0 7 * *', /five fields of cron/],
    ['every day', /five fields of cron/],
    ['0 0 7 * * 1-5 2027', /five fields of cron/],
    ['0 7 30 2 *', /never comes/],
  ])('may not be %s', (pattern, problem) => {
    expect(() => cronPattern(pattern)).toThrow(problem);
  });
});

describe('the signing secret', () => {
  it.each([
    // The example of https://docs.slack.dev/authentication/verifying-requests-from-slack, which is not hexadecimal.
    '8f742231b10e8888abcd99yyyzzz85a5',
    'ABCDEF0123456789abcdef0123456789',
    'of-a-stand-in',
  ])('may be %s', (secret) => {
    expect(signingSecret(secret)).toBe(secret);
  });
});

describe('levels of consumption', () => {
  it.each<[string, number[]]>([
    ['80,100', [100, 80]],
    [' 120 , 50, 100,50 ', [120, 100, 50]],
    ['none', []],
  ])('may be %s: the highest first', (levels, read) => {
    expect(percentLevels(levels)).toEqual(read);
  });

  it.each(['', '0', '80 %', '82.5', '-5', '1001', '80;100', '0x50', '1e2', '1,2,3,4,5,6,7,8,9,10,11', 'none,80'])(
    'may not be %j',
    (levels) => {
      expect(() => percentLevels(levels)).toThrow('up to 10 whole numbers from 1 to 1000, such as 80,100, or none');
    },
  );
});

describe('hosts', () => {
  it('are names, with a port where it is another, and a dot in front for all below', () => {
    const entries = ['acme.example', '.files.acme.example', 'my_files.acme.example:8443', 'localhost'];

    expect(hosts(entries.join(', '))).toEqual(entries);
    expect(hosts('')).toEqual([]);
  });

  it.each(['https://acme.example', '*.acme.example', 'acme.example/sites', 'acme.example:443', 'bücher.example', '.'])(
    'are not %s',
    (entry) => {
      expect(() => hosts(`files.example,${entry}`)).toThrow(
        'entry 2 is no host, such as acme.example or .acme.example',
      );
    },
  );
});

describe('an address', () => {
  it('loses its slash at the end, which an issuer keeps', () => {
    expect(address('https://login.example/tenant/')).toBe('https://login.example/tenant');
    expect(issuer('https://login.example/tenant/')).toBe('https://login.example/tenant/');
  });

  it.each(['https://login.example/?a=1', 'https://login.example/#a', 'https://me:secret@login.example'])(
    'is not %s, and the problem does not repeat what may be secret in it',
    (value) => {
      expect(() => address(value)).toThrow(/^has to be an address without a user, a \? or a #$/);
    },
  );

  it('is no word, which an issuer may be', () => {
    expect(() => address('accounts.example')).toThrow('https address');
    expect(issuer('accounts.example')).toBe('accounts.example');
    expect(() => issuer('two words')).toThrow('has to be one word');
  });
});
