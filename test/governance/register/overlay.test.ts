import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportRegister, findExported } from '../../../src/governance/register/export-register.ts';
import { mergeOverlay } from '../../../src/governance/register/merge-overlay.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import { AT, aClassification, anApprovedLimit, anException, openRegister } from './register-samples.ts';

const EXAMPLE = readFileSync(new URL('../../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');

const ALL = '{ ServiceMessages: { allocated: 0, rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on } } }';

/** Two environments that share their lists through anchors, and one in a single line. */
const SHARING = [
  'schema: 1 # the form',
  `defaults: { maker-development: { allocations: ${ALL} } }`,
  'environments:',
  '  - id: env-1',
  '    classification: maker-development',
  '    agents: &agents',
  '      - { id: bot-9, monthlyLimit: none }',
  '    exceptions: &none []',
  '  - id: env-2',
  '    classification: maker-development',
  '    agents: *agents # the same',
  '    exceptions: *none',
  '  - { id: env-3, classification: maker-development }',
].join('\n');

const LIMIT_OF_700 = { setting: 'monthlyLimit', currency: undefined, value: 700 } as const;

/** Both are over by now. */
const ACCEPTING = [
  'schema: 1',
  'environments:',
  '  - id: ENV-1',
  '    classification: maker-development',
  `    allocations: ${ALL}`,
  '    exceptions:',
  '      - { setting: TenantPool, currency: servicemessages, value: on, reason: r, approver: a, expires: 2026-03-03 }',
  '      - { setting: monthlyLimit, agent: bot-9, value: 700, reason: r, approver: a, expires: 2026-03-03 }',
].join('\n');

/** Its defaults leave open what is allocated. */
const OPEN = [
  'schema: 1',
  'defaults: { maker-development: { allocations: { ServiceMessages: { rules: { Deny: on } } } } }',
  'environments: []',
].join('\n');

function exportAt(text: string, records: readonly OverlayRecord[], now = AT) {
  return exportRegister(text, findExported(openRegister(text), records, now));
}

function merge(text: string, ...records: OverlayRecord[]) {
  return mergeOverlay(openRegister(text), records);
}

describe('what was decided in Slack', () => {
  it('adds an environment with the defaults of its classification', () => {
    const { register, unused } = merge(SHARING, aClassification({ environmentId: 'new', name: 'Lab', owners: ['U7'] }));

    expect(register.environments.at(-1)).toMatchObject({
      id: 'new',
      name: 'Lab',
      classification: 'maker-development',
      owners: ['U7'],
      allocations: [{ currencyType: 'ServiceMessages', allocated: 0 }],
    });
    expect(unused).toEqual([]);
  });

  it('adds a limit and an exception to an environment of the file, and to one that was classified', () => {
    const { register } = merge(
      SHARING,
      aClassification({ environmentId: 'new' }),
      anApprovedLimit({ id: 'a', environmentId: 'NEW', agentResourceId: 'bot-1' }),
      anException({ id: 'b', environmentId: 'ENV-1' }),
    );

    expect(register.environments.at(-1)?.agents).toMatchObject([{ id: 'bot-1', limit: { monthlyLimit: 100 } }]);
    expect(register.environments[0]?.exceptions).toEqual([
      {
        agent: undefined,
        accepts: { setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' },
        reason: 'Agreed with finance',
        approver: 'U1',
        expiresOn: '2026-06-30',
      },
    ]);
  });

  it.each<[string, string, OverlayRecord[], { id: string; reason: string }[]]>([
    [
      'names what the file names by now',
      SHARING,
      [aClassification({ environmentId: 'ENV-1' }), anApprovedLimit({ id: 'a', agentResourceId: 'BOT-9' })],
      [
        { id: 'decision-1', reason: 'in_register' },
        { id: 'a', reason: 'in_register' },
      ],
    ],
    [
      'approves a limit of an agent that the file names by its other id',
      SHARING,
      [anApprovedLimit({ agentResourceId: 'bot-of-9', agentName: 'BOT-9' })],
      [{ id: 'decision-1', reason: 'in_register' }],
    ],
    [
      'approves a limit that was approved later under the other id of the agent',
      SHARING,
      [
        anApprovedLimit({ id: 'new', agentResourceId: 'agent-7', agentName: 'agent-7', at: AT + 1 }),
        anApprovedLimit({ id: 'old', agentResourceId: 'bot-7', agentName: 'agent-7' }),
      ],
      [{ id: 'old', reason: 'replaced_by_later' }],
    ],
    [
      'accepts what the file accepts itself, if only until yesterday',
      ACCEPTING,
      [
        anException({ id: 'a' }),
        anException({ id: 'b', agentResourceId: 'bot-of-9', agentName: 'BOT-9', accepts: [LIMIT_OF_700] }),
      ],
      [
        { id: 'a', reason: 'in_register' },
        { id: 'b', reason: 'in_register' },
      ],
    ],
    [
      'was decided differently later',
      SHARING,
      [aClassification({ environmentId: 'x', at: AT + 1 }), aClassification({ id: 'old', environmentId: 'X', at: AT })],
      [{ id: 'old', reason: 'replaced_by_later' }],
    ],
    [
      'leaves open what is approved',
      OPEN,
      [aClassification({ environmentId: 'x' }), anException({ id: 'b', environmentId: 'x' })],
      [
        { id: 'decision-1', reason: 'defaults_incomplete' },
        { id: 'b', reason: 'environment_unclassified' },
      ],
    ],
  ])('adds nothing where it %s, and says so', (_, text, records, expected) => {
    const { register, unused } = merge(text, ...records);

    expect(unused).toEqual(expected);
    expect(register.environments.length).toBeLessThanOrEqual(openRegister(text).environments.length + 1);
  });

  it('changes neither the register nor the records', () => {
    const register = openRegister(SHARING);
    const records = [aClassification({ environmentId: 'x' }), anException({ id: 'b' }), anApprovedLimit({ id: 'c' })];
    const before = structuredClone({ register, records });

    mergeOverlay(register, records);

    expect({ register, records }).toEqual(before);
  });
});

const environmentId = fc.constantFrom(
  'env-1',
  'ENV-2',
  'env-3',
  '11111111-0000-4000-8000-000000000001',
  'new',
  'New 2',
);
const agentResourceId = fc.constantFrom('bot-1', 'BOT-9', '0815', 'on');
const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text) && text.length <= 500);
const name = fc.option(line, { nil: undefined });
const decided = { environmentId, reason: line, at: fc.integer({ min: AT, max: AT + 10 }) };
const state = fc.constantFrom('on' as const, 'off' as const, 'platform-default' as const);
const amount = fc.nat();
const rules = fc.record({ Alert: state, TenantPool: state, PayGo: state, Deny: state });
const allocations = fc.oneof(
  fc.constant('none' as const),
  fc.constant(undefined),
  fc.uniqueArray(fc.record({ currencyType: fc.constantFrom('AI', 'Messages 2', 'on'), allocated: amount, rules }), {
    minLength: 1,
    selector: ({ currencyType }) => currencyType,
  }),
);
const limit = fc.oneof(
  fc.constant({ monthlyLimit: 'none' as const }),
  fc.record({
    monthlyLimit: amount,
    alertAt: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant('off' as const)),
    stopWhenReached: fc.constantFrom('on' as const, 'off' as const),
  }),
);
const accepted = fc.oneof(
  fc.record({ setting: fc.constant('TenantPool' as const), currency: fc.constantFrom('AI', '7'), value: state }),
  fc.record({
    setting: fc.constant('allocated' as const),
    currency: fc.constant('AI'),
    value: fc.double({ min: 0, max: 1e9, noNaN: true }),
  }),
);
const acceptedOfAgent = fc.record({
  setting: fc.constant('monthlyLimit' as const),
  currency: fc.constant(undefined),
  value: fc.oneof(amount, fc.constant('none' as const)),
});
const record: fc.Arbitrary<OverlayRecord> = fc.oneof(
  fc.record({ ...decided, name, owners: fc.array(line, { maxLength: 2 }), allocations }).map(aClassification),
  fc.record({ ...decided, name, agentResourceId, limit }).map(anApprovedLimit),
  fc.record({ ...decided, accepts: fc.array(accepted, { minLength: 1, maxLength: 2 }) }).map(anException),
  fc.record({ ...decided, agentResourceId, accepts: fc.array(acceptedOfAgent, { maxLength: 2 }) }).map(anException),
);

describe('the export', () => {
  it('reads as the register with the overlay merged in, whatever was decided', () => {
    const text = fc.constantFrom(EXAMPLE, SHARING, OPEN.replace('Deny: on', 'Deny: on, Alert: on'));
    fc.assert(
      fc.property(text, fc.array(record, { maxLength: 8 }), (base, decisions) => {
        const records = decisions.map((one, index) => ({ ...one, id: `decision-${index}` }));
        const register = openRegister(base);

        const exported = openRegister(exportAt(base, records));

        expect(exported).toEqual(mergeOverlay(register, records).register);
      }),
    );
  });

  it('is the very text of the file where nothing was decided', () => {
    expect(exportAt(EXAMPLE, [])).toBe(EXAMPLE);
  });

  it('keeps order and comments, and says above what it adds who decided it, when and why', () => {
    const text = exportAt(EXAMPLE, [aClassification({ environmentId: 'new', name: 'Lab' })]);

    const unspaced = text.replaceAll('[ ', '[').replaceAll(' ]', ']');
    expect(unspaced).toBe(
      [
        EXAMPLE.trimEnd(),
        '  # Decided in Slack on 2026-03-04 by U1: Agreed with finance',
        '  - id: new',
        '    name: Lab',
        '    classification: maker-development',
        '',
      ].join('\n'),
    );
  });

  it('adds nothing to an environment that shares a list with another', () => {
    const text = exportAt(SHARING, [anApprovedLimit({ agentResourceId: 'bot-1' }), anException({ id: 'b' })]);

    const { environments } = openRegister(text);
    expect(environments[0]).toMatchObject({ agents: [{ id: 'bot-9' }, { id: 'bot-1' }], exceptions: [{}] });
    expect(environments[1]).toMatchObject({ agents: [{ id: 'bot-9' }], exceptions: [] });
  });

  it('has nothing to add any more once it is the file', () => {
    const records = [
      aClassification({ id: 'a', environmentId: 'new' }),
      anApprovedLimit({ id: 'b', environmentId: 'new', agentName: 'agent-1' }),
      anException({ id: 'c', environmentId: 'NEW' }),
      anException({ id: 'd', agentResourceId: 'bot-1', accepts: [LIMIT_OF_700] }),
    ];

    const exported = exportAt(SHARING, records);

    expect(findExported(openRegister(SHARING), records, AT).count).toBe(4);
    expect(findExported(openRegister(exported), records, AT).count).toBe(0);
    expect(exportAt(exported, records)).toBe(exported);
  });

  it('has of a decision what the file does not accept yet', () => {
    const [first, second] = [
      { setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' } as const,
      { setting: 'PayGo', currency: 'ServiceMessages', value: 'on' } as const,
    ];

    const { exceptions } = findExported(openRegister(ACCEPTING), [anException({ accepts: [first, second] })], AT);

    expect(exceptions.map(({ accepts }) => accepts)).toEqual([[second]]);
  });

  it('leaves out exceptions that are over', () => {
    expect(exportAt(SHARING, [anException({ expiresOn: '2026-03-03' })])).toBe(SHARING);
  });
});
