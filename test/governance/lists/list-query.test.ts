import { describe, expect, it } from 'vitest';
import { parseQuery, type Query } from '../../../src/governance/lists/list-query.ts';

const FILTERS = ['class', 'env', 'owner', 'over', 'stopped', 'harness', 'nolimit'];

function parse(typed: string, timeZone = 'Europe/Berlin', filters = FILTERS): Query {
  const query = parseQuery(typed, { filters, timeZone });
  if ('problem' in query) throw new Error(query.problem);
  return query;
}

const problemOf = (typed: string, filters = FILTERS) => {
  const query = parseQuery(typed, { filters, timeZone: 'utc' });
  return 'problem' in query ? query.problem : undefined;
};

describe('what is typed after a list', () => {
  it('is words and filters in any order', () => {
    const { words, filters } = parse('Travel stopped env:Lab over:80% desk CLASS:maker');

    expect(words).toEqual(['travel', 'desk']);
    expect([...filters]).toEqual([
      ['stopped', ''],
      ['env', 'Lab'],
      ['over', '80%'],
      ['class', 'maker'],
    ]);
  });

  it('keeps words together in quotes of any keyboard, and takes what is in them for no filter', () => {
    expect([...parse('env:“Contoso Production”').filters]).toEqual([['env', 'Contoso Production']]);
    expect(parse('"stopped" "2026-03" „csv“').words).toEqual(['stopped', '2026-03', 'csv']);
    expect(parse('「stopped」 »2026-03«').words).toEqual(['stopped', '2026-03']);
    expect(parse('"never closed').words).toEqual(['never', 'closed']);
  });

  it.each([
    ['travel csv', true, 'travel'],
    ['export csv', true, ''],
    ['CSV', true, ''],
    ['"csv"', false, '"csv"'],
    ['travelcsv', false, 'travelcsv'],
  ])('asks for a file: %s', (typed, isFile, rest) => {
    expect(parse(typed)).toMatchObject({ isFile, typed: rest });
  });

  it('has a month or a day, as the calendar of the reader has it', () => {
    expect(parse('travel 2026-03').period).toEqual({
      text: '2026-03',
      from: Date.parse('2026-03-01T00:00:00+01:00'),
      until: Date.parse('2026-04-01T00:00:00+02:00'),
    });
    expect(parse('2026-03-29').period?.until).toBe(Date.parse('2026-03-30T00:00:00+02:00'));
    expect(parse('2026-13').words).toEqual(['2026-13']);
    expect(parse('2026-03', 'no/where').period?.from).toBe(Date.parse('2026-03-01T00:00:00Z'));
  });

  it.each([
    ['over:lots', 'After `over:` comes a percentage, such as `over:80`.'],
    ['env:""', 'After `env:` comes a name, or part of one.'],
    ['colour:red', '`colour` is no filter here. This list has `class:` `env:`'],
    ['pool', '`pool` is no filter here.'],
  ])('is refused with what there is: %s', (typed, sentence) => {
    expect(problemOf(typed)).toContain(sentence);
  });

  it('has no filters in the log', () => {
    expect(problemOf('stopped', [])).toContain('This list has no filters');
  });
});
