import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { openRegister } from './register-samples.ts';

const EXAMPLE = readFileSync(new URL('../../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');

const RULES = 'rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on }';

/** A register of one environment, in order but for what the test puts in. */
function aRegister({ top = '', environment = '', agent = '', exception = '' } = {}): string {
  return [
    'schema: 1',
    ...(top === '' ? [] : [top]),
    'environments:',
    '  - id: env-1',
    '    classification: maker-development',
    `    allocations: { ServiceMessages: { allocated: 5, ${RULES} } }`,
    ...(environment === '' ? [] : [`    ${environment}`]),
    '    agents:',
    `      - ${agent || '{ id: bot-1, monthlyLimit: none }'}`,
    '    exceptions:',
    `      - ${exception || '{ setting: Deny, currency: ServiceMessages, value: off, reason: r, approver: a, expires: 2026-01-31 }'}`,
  ].join('\n');
}

function problemsOf(text: string) {
  const read = readRegister(text);
  return 'problems' in read ? read.problems : [];
}

/** The line of the first place where this stands. */
function lineOf(text: string, at: string): number {
  return text.slice(0, text.indexOf(at)).split('\n').length;
}

describe('the example', () => {
  it('is in order, and fills in what its defaults say', () => {
    const { environments } = openRegister(EXAMPLE);

    expect(environments).toHaveLength(3);
    expect(environments[0]).toMatchObject({
      classification: 'funded-production',
      allocations: [
        {
          currencyType: 'ServiceMessages',
          allocated: 25_000,
          rules: { Alert: 'on', TenantPool: 'on', PayGo: 'off', Deny: 'on' },
        },
        { currencyType: 'AI', allocated: 10 },
      ],
      agents: [
        { id: 'bot-1', limit: { monthlyLimit: 5000 } },
        { id: 'bot-2', limit: { monthlyLimit: 'none' } },
      ],
    });
    expect(environments[1]?.unnamedAgents).toEqual({ monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' });
    expect(environments[2]).toMatchObject({ allocations: 'none', unnamedAgents: { monthlyLimit: 'none' } });
  });

  it('has a hash of its very text', () => {
    const read = readRegister(EXAMPLE);

    expect(read).toMatchObject({ hash: createHash('sha256').update(EXAMPLE).digest('hex') });
  });
});

describe('a register', () => {
  it('takes on and off also as true and false', () => {
    const register = openRegister(
      aRegister({ agent: '{ id: a, monthlyLimit: 5, alertAt: false, stopWhenReached: true }' }),
    );

    expect(register.environments[0]?.agents[0]?.limit).toEqual({
      monthlyLimit: 5,
      alertAt: 'off',
      stopWhenReached: 'on',
    });
  });

  it('reviews all agents, and reports other currencies, where it does not say', () => {
    expect(openRegister(aRegister())).toMatchObject({ reviewedAgents: 'all', otherCurrencies: 'report' });
  });

  it('may name no environment at all, as at the start', () => {
    expect(openRegister('schema: 1\nenvironments: []').environments).toEqual([]);
  });

  it('may share one block among thousands of environments', () => {
    const environments = Array.from(
      { length: 3000 },
      (_, index) => `  - { id: env-${index}, classification: maker-development, allocations: *standard }`,
    );
    const text = [
      'schema: 1',
      `defaults: { maker-development: { allocations: &standard { ServiceMessages: { allocated: 0, ${RULES} } } } }`,
      'environments:',
      ...environments,
    ].join('\n');

    expect(openRegister(text).environments).toHaveLength(3000);
  });

  it('sets every currency against the default of the same name, whatever its case', () => {
    const top = `defaults: { maker-development: { allocations: { servicemessages: { allocated: 9, ${RULES} } } } }`;
    const environment = 'owners: []';

    const register = openRegister(
      aRegister({ top, environment }).replace(`allocated: 5, ${RULES}`, 'rules: { Deny: off }'),
    );

    expect(register.environments[0]?.allocations).toEqual([
      {
        currencyType: 'ServiceMessages',
        allocated: 9,
        rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'off' },
      },
    ]);
  });
});

describe('what is wrong', () => {
  it.each<[string, { text: string; at: string; words: string }]>([
    ['an empty file', { text: '', at: '', words: 'Write a register' }],
    ['a bracket that stays open', { text: 'schema: 1\nenvironments: [', at: 'env', words: 'close what was opened' }],
    ['a text that is no YAML', { text: 'schema: 1\nenvironments: "', at: 'env', words: 'Mend the YAML here' }],
    ['tabs', { text: 'schema: 1\nenvironments:\n\t- id: x', at: '\t', words: 'Indent with spaces' }],
    ['a key that comes twice', { text: 'a: 1\na: 2', at: 'a: 2', words: 'there twice in one block' }],
    ['two documents', { text: 'schema: 1\n---\nschema: 1', at: '---', words: 'one document' }],
    ['another schema', { text: 'environments: []\nschema: 2', at: 'schema', words: 'Write schema: 1' }],
    ['no environments', { text: 'schema: 1', at: '', words: 'Write environments as a list' }],
    [
      'an unknown key',
      { text: aRegister({ top: 'colour: red' }), at: 'colour', words: 'Remove it, or write one of: schema' },
    ],
    ['a misspelt key', { text: aRegister({ environment: 'onwers: []' }), at: 'onwers', words: 'Write owners instead' }],
    [
      'part of a key',
      { text: aRegister({ agent: '{ id: a, limit: 5 }' }), at: 'limit', words: 'Write monthlyLimit instead' },
    ],
    [
      'an id of digits',
      {
        text: aRegister({ agent: '{ id: 12, monthlyLimit: none }' }),
        at: '12',
        words: 'in quotes where it consists of digits',
      },
    ],
    [
      'owners that are no list',
      { text: aRegister({ environment: 'owners: x' }), at: 'owners', words: 'Write owners as a list' },
    ],
    [
      'an unknown classification',
      { text: aRegister().replace('maker-development', 'makers'), at: 'makers', words: 'Write classification:' },
    ],
    [
      'no allocations',
      { text: aRegister().replace(/\n {4}allocations.*/, ''), at: 'id: env-1', words: 'Write allocations:' },
    ],
  ])('is told of %s, with its line', (_, { text, at, words }) => {
    expect(problemsOf(text)[0]).toEqual({ line: lineOf(text, at), sentence: expect.stringContaining(words) });
  });

  it.each([
    ['allocated: -5', 'Write allocated:'],
    ['allocated: 5.5', 'Write allocated:'],
    ['allocated: "1,000"', 'Write allocated:'],
    ['allocated: 9007199254740992', 'Write allocated:'],
    ['rules: { Alert: yes }', 'Write Alert: on, Alert: off or Alert: platform-default.'],
    ['rules: { Alarm: on }', '"Alarm" is not a key here. Write Alert instead'],
    [
      'rules: { Alert: on, PayGo: off, Deny: on }',
      'what is approved for: allocated, TenantPool; here, or under defaults: maker',
    ],
    ['allocated: 5', 'what is approved for: Alert, TenantPool, PayGo, Deny; here'],
  ])('is told of an allocation with %s', (values, words) => {
    const text = aRegister().replace(`allocated: 5, ${RULES}`, values);

    expect(problemsOf(text)[0]).toEqual({
      line: lineOf(text, 'allocations'),
      sentence: expect.stringContaining(words),
    });
  });

  it.each([
    ['monthlyLimit: 5, alertAt: 150, stopWhenReached: on', 'Write alertAt: and a percentage from 0 to 100'],
    ['monthlyLimit: 5, alertAt: on, stopWhenReached: on', 'Write alertAt: and'],
    ['monthlyLimit: 5, stopWhenReached: on', 'Write alertAt: with the monthlyLimit'],
    ['monthlyLimit: 5, alertAt: 5', 'Write stopWhenReached: with the monthlyLimit'],
    ['monthlyLimit: none, alertAt: 5', 'Leave alertAt and stopWhenReached out'],
    ['monthlyLimit: much', 'Write monthlyLimit:'],
    ['name: nobody', 'Write monthlyLimit:'],
  ])('is told of an agent with %s', (values, words) => {
    const text = aRegister({ agent: `{ id: bot-1, ${values} }` });

    expect(problemsOf(text)[0]).toEqual({ line: lineOf(text, 'bot-1'), sentence: expect.stringContaining(words) });
  });

  it.each([
    ['setting: Color', 'Write setting:'],
    ['setting: Deny, value: off', 'Write currency:'],
    ['setting: Deny, currency: S, value: maybe', 'Write value: on, value: off or value: platform-default.'],
    ['setting: allocated, currency: S, value: off', 'Write value: and the number of credits'],
    ['setting: monthlyLimit, value: 5', 'Write the id of the agent'],
    ['setting: Deny, agent: a, currency: S, value: off', '"agent" is not a key here'],
    ['setting: Deny, currency: S, value: off, reason: " "', 'Write reason:'],
    ['setting: Deny, currency: S, value: off, reason: r', 'Write approver:'],
    ['setting: Deny, currency: S, value: off, reason: r, approver: a', 'Write expires:'],
    ['setting: Deny, currency: S, value: off, reason: r, approver: a, expires: 2026-02-30', 'Write expires:'],
    ['setting: Deny, currency: S, value: off, reason: r, approver: a, expires: 30.6.2026', 'Write expires:'],
  ])('is told of an exception with %s', (values, words) => {
    const text = aRegister({ exception: `{ ${values} }` });

    expect(problemsOf(text)[0]).toEqual({ line: lineOf(text, 'setting'), sentence: expect.stringContaining(words) });
  });

  it('is an environment that is there twice, whatever the case of its id', () => {
    const text = `${aRegister()}\n  - id: ENV-1\n    classification: maker-development\n    allocations: none`;

    expect(problemsOf(text)).toEqual([
      { line: lineOf(text, 'ENV-1'), sentence: expect.stringContaining('twice (ENV-1)') },
    ]);
  });

  it('is an agent that is there twice in one environment', () => {
    const text = aRegister({ agent: '{ id: a, monthlyLimit: none }\n      - { id: A, monthlyLimit: none }' });

    expect(problemsOf(text)).toEqual([{ line: lineOf(text, 'id: A'), sentence: expect.stringContaining('twice (A)') }]);
  });

  it('is a currency that is there twice in one environment', () => {
    const text = aRegister().replace('allocations: { ', `allocations: { SERVICEMESSAGES: { allocated: 5, ${RULES} }, `);

    expect(problemsOf(text)).toEqual([
      { line: lineOf(text, 'SERVICEMESSAGES'), sentence: expect.stringContaining('twice (ServiceMessages)') },
    ]);
  });

  it('is told all at once, from the top down', () => {
    const text = aRegister({ top: 'colour: red', environment: 'owners: x', agent: '{ id: 7 }' });

    expect(problemsOf(text).map(({ line }) => line)).toEqual(
      ['colour', 'owners', 'id: 7', 'id: 7'].map((at) => lineOf(text, at)),
    );
  });

  it('is told once, where it stands, of a block that several share', () => {
    const text = [
      'schema: 1',
      'environments:',
      '  - id: env-1',
      '    classification: maker-development',
      '    allocations: &all',
      '      AI: { allocated: -1 }',
      '  - { id: env-2, classification: maker-development, allocations: *all }',
    ].join('\n');

    expect(problemsOf(text)).toEqual([
      { line: lineOf(text, 'AI'), sentence: expect.stringContaining('Write allocated:') },
    ]);
  });

  it('is a nest of anchors that grows without end', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const inner =
        level === 0
          ? 'x'
          : Array(9)
              .fill(`*l${level - 1}`)
              .join(', ');
      return `l${level}: &l${level} [${inner}]`;
    });

    expect(problemsOf(levels.join('\n'))[0]?.sentence).toContain('repeated with *');
  });
});
