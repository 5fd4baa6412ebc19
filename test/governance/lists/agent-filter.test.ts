import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentFilter, hasFilter, parseAgentFilter } from '../../../src/governance/lists/list-agents.ts';

const aFilter = (values: Partial<AgentFilter> = {}): AgentFilter => ({
  ...{ name: '', environment: '', owner: '', harness: 'any' },
  ...values,
});

describe('parseAgentFilter', () => {
  it.each<[string, Partial<AgentFilter>]>([
    ['', {}],
    ['invoice reader', { name: 'invoice reader' }],
    ['harness', { harness: 'yes' }],
    ['invoice HARNESS', { name: 'invoice', harness: 'yes' }],
    ['harness:no', { harness: 'no' }],
    ['harness: Unknown', { harness: 'unknown' }],
    ['harnessed horses', { name: 'harnessed horses' }],
    ['env:11111111-0000', { environment: '11111111-0000' }],
    ['env:Contoso Production', { environment: 'Contoso Production' }],
    ['Environment: Contoso Production harness', { environment: 'Contoso Production', harness: 'yes' }],
    ['env:Contoso Production owner:owner-1', { environment: 'Contoso Production', owner: 'owner-1' }],
    ['env:"Contoso Production" invoice', { environment: 'Contoso Production', name: 'invoice' }],
    ['env:“Contoso Production” harness', { environment: 'Contoso Production', harness: 'yes' }],
    [`env:"Ana's "Makers" lab" owner:o`, { environment: `Ana's "Makers" lab`, owner: 'o' }],
    [`env:Ana's "Makers" lab`, { environment: `Ana's "Makers" lab` }],
    ['invoice env:"My harness" owner:o', { name: 'invoice', environment: 'My harness', owner: 'o' }],
    ['name:"harness test" harness', { name: 'harness test', harness: 'yes' }],
    ['"my harness test" env:lab', { name: 'my harness test', environment: 'lab' }],
    // As buttons of another release carry it.
    ['Invoice Reader" env:"Contoso Production', { name: 'Invoice Reader', environment: 'Contoso Production' }],
    ['env:', {}],
    ['env:"" harness', { harness: 'yes' }],
    ["env:'Contoso Production' invoice", { environment: 'Contoso Production', name: 'invoice' }],
    ['env:‘Contoso Production’ harness', { environment: 'Contoso Production', harness: 'yes' }],
    ["env:'Ana's lab' owner:o", { environment: "Ana's lab", owner: 'o' }],
    ['"harness"', { name: 'harness' }],
    ['"invoice reader" env:"lab"', { name: 'invoice reader', environment: 'lab' }],
    ['"', {}],
    ['<!channel> & env:<x>', { name: '<!channel> &', environment: '<x>' }],
  ])('reads “%s”', (typed, filter) => {
    expect(parseAgentFilter(typed)).toEqual({ ok: true, filter: aFilter(filter) });
  });

  it('says what it does not know about the harness', () => {
    expect(parseAgentFilter('harness:perhaps')).toEqual({
      ok: false,
      sentence: 'After `harness:` comes `yes`, `no`, `unknown` or `any`.',
    });
  });

  it.each(['owner:@kim', 'owner: @U0KIM harness'])('says of %s that Slack does not know owners', (typed) => {
    expect(parseAgentFilter(typed)).toMatchObject({ ok: false, sentence: expect.stringContaining('in the directory') });
  });

  it.each([
    ['env:lab', true],
    ['x harness', true],
    ['harnessed', false],
    ['environment', false],
    ['a:b', false],
  ])('tells whether %s is meant as a filter', (typed, expected) => {
    expect(hasFilter(typed)).toBe(expected);
  });

  it('reads the id of any environment in quotes as it is', () => {
    const id = fc.string({ unit: fc.constantFrom('a', '1', '-', "'", '"', ' harness ', 'owner:'), minLength: 1 });
    fc.assert(
      fc.property(id, (environmentId) => {
        const parsed = parseAgentFilter(`env:"x${environmentId}x"`);
        expect(parsed.ok).toBe(true);
      }),
    );
    expect(parseAgentFilter(`env:"a owner:b harness"`)).toEqual({
      ok: true,
      filter: aFilter({ environment: 'a owner:b harness' }),
    });
  });

  it('ends for whatever is typed', () => {
    const piece = fc.constantFrom('env:', 'owner:', 'harness', ' ', '"', '”', 'name:', 'x', '\t');
    fc.assert(fc.property(fc.string({ unit: piece, maxLength: 60 }), (typed) => void parseAgentFilter(typed)));
  });
});
