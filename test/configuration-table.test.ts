import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildExample, withTable } from '../scripts/configuration-table.ts';
import { type ConfigError, readConfig } from '../src/config.ts';
import { VARIABLES } from '../src/config-variables.ts';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

it('the table of environment variables in docs/configuration.md is the one in config.ts', () => {
  const page = read('docs/configuration.md');

  expect(page).toBe(withTable(page));
});

describe('.env.example', () => {
  const example = read('.env.example');

  it('is made from config.ts, and has every variable', () => {
    const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

    expect(example).toBe(buildExample());
    expect(names).toEqual(Object.keys(VARIABLES));
  });

  it('says of each placeholder that is left what it is, and nothing else', () => {
    const values = parseEnv(example);
    let problems: string[] = [];
    try {
      readConfig(values);
    } catch (error) {
      problems = (error as ConfigError).problems;
    }

    expect(problems).toEqual(
      Object.keys(VARIABLES)
        .filter((name) => name in values)
        .map((name) => `${name} is still the placeholder of .env.example.`),
    );
    expect(Object.values(values).every((value) => /^<.*>$/.test(String(value)))).toBe(true);
  });

  it('has the defaults in its comments as they count', () => {
    const uncommented = parseEnv(example.replace(/^# (?=[A-Z][A-Z_]+=)/gm, ''));
    const presets = Object.entries(VARIABLES).flatMap(([name, variable]) =>
      'default' in variable ? [[name, variable.default]] : [],
    );

    expect(uncommented).toMatchObject(Object.fromEntries(presets));
  });

  it('is copied to a file that neither Git nor Docker takes', () => {
    expect(read('.gitignore').split('\n')).toContain('.env');
    // Everything is left out that is not named.
    expect(read('.dockerignore').split('\n')[0]).toBe('*');
    expect(read('.dockerignore')).not.toContain('.env');
  });
});
