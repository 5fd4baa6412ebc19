import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeUnknownFilter,
  type FilteredList,
  type ListFilter,
  parseListFilter,
  readOwnerId,
} from '../../../src/governance/lists/list-filter.ts';
import { aListFilter } from './list-samples.ts';

const parseAgentFilter = (typed: string) => parseListFilter('agents', typed);

describe('parseAgentFilter', () => {
  it.each<[string, Partial<ListFilter>]>([
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
    expect(parseAgentFilter(typed)).toEqual({ ok: true, filter: aListFilter(filter) });
  });

  it('says what it does not know about the harness', () => {
    expect(parseAgentFilter('harness:perhaps')).toEqual({
      ok: false,
      sentence: 'After `harness:` comes `yes`, `no`, `unknown` or `any`.',
    });
  });

  it.each(['owner:@kim', 'owner: @U0KIM harness'])('says of %s which owners there are', (typed) => {
    expect(parseAgentFilter(typed)).toMatchObject({ ok: false, sentence: expect.stringContaining('in the directory') });
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
      filter: aListFilter({ environment: 'a owner:b harness' }),
    });
  });

  it('ends for whatever is typed', () => {
    const piece = fc.constantFrom('env:', 'owner:', 'harness', ' ', '"', '”', 'name:', 'x', '\t');
    fc.assert(fc.property(fc.string({ unit: piece, maxLength: 60 }), (typed) => void parseAgentFilter(typed)));
  });
});

describe('the filters of each list', () => {
  it.each<[FilteredList, string, Partial<ListFilter>]>([
    ['limits', 'none', { none: true }],
    ['limits', 'stopped env:lab', { stopped: true, environment: 'lab' }],
    ['limits', 'over:80', { over: 80 }],
    ['limits', 'over: 82.5 % invoice', { over: 82.5, name: 'invoice' }],
    ['limits', 'OVER:82,5', { over: 82.5 }],
    ['limits', 'owner:owner-1 harness:no', { owner: 'owner-1', harness: 'no' }],
    ['limits', '"none" owner:kim', { name: 'none', owner: 'kim' }],
    ['usage', 'env:"Contoso Production"', { name: 'Contoso Production' }],
    ['usage', 'lab env:contoso', { name: 'lab contoso' }],
    ['usage', 'stopped', { name: 'stopped' }],
    ['environments', 'owner:<@U0KIM>', { owner: '<@U0KIM>' }],
    ['agents', 'owner:kim none', { owner: 'kim none' }],
  ])('of %s read “%s”', (list, typed, filter) => {
    expect(parseListFilter(list, typed)).toEqual({ ok: true, filter: aListFilter(filter) });
  });

  it.each<[FilteredList, string, string[]]>([
    ['limits', 'over:much', ['After `over:` comes a percentage', 'over:80']],
    ['limits', 'over:', ['After `over:` comes a percentage']],
    ['usage', 'harness:yes', ['`harness:` is no filter of this list', '`over:<percent>`']],
    ['agents', 'over:80', ['`over:` is no filter of this list', '`env:<environment>`']],
    ['environments', 'over:80', ['is no filter of this list', '`owner:<id or @person>`']],
  ])('of %s say of “%s” what there is', (list, typed, words) => {
    const parsed = parseListFilter(list, typed);

    expect(parsed.ok).toBe(false);
    for (const part of words) expect(parsed).toMatchObject({ sentence: expect.stringContaining(part) });
  });

  it.each<[string, string | undefined]>([
    ['colour:red', '`colour:` is no filter. `/assistant-admin limits` has: `none`, `stopped`, `over:<percent>`'],
    ['invoice owners:ana', '`owners:` is no filter.'],
    ['Reader: invoices', undefined],
    ['invoice', undefined],
  ])('are named where “%s” finds nothing', (name, sentence) => {
    const described = describeUnknownFilter('limits', name);

    if (sentence === undefined) expect(described).toBeUndefined();
    else expect(described).toContain(sentence);
  });

  it('take a person for an owner where their account is known', async () => {
    const filter = aListFilter({ owner: '<@U0KIM>' });

    const known = await readOwnerId(filter, async (user) => (user === 'U0KIM' ? 'id-kim' : undefined));
    const unknown = await readOwnerId(filter, async () => undefined);

    expect(known).toEqual({ ok: true, filter: aListFilter({ owner: 'id-kim', ownerUser: 'U0KIM' }) });
    expect(unknown).toMatchObject({ ok: false, sentence: expect.stringContaining('in the directory') });
  });
});
