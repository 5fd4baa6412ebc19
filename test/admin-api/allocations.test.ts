import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllocation, toAllocationBody } from '../../src/admin-api/licensing-wire.ts';
import { withCredits } from '../../src/governance/run/resources.ts';
import { type Answer, startScriptedAdmin, TOKEN } from './scripted-admin.ts';

const BODY = {
  environmentId: 'env-1',
  currencyAllocations: [
    {
      currencyType: 'ServiceMessages',
      allocated: 100,
      costCentre: 'CC-1',
      enforcementRules: [
        { ruleType: 'Throttle', enabled: true, percent: 90 },
        { ruleType: 'Deny', enabled: false },
      ],
    },
    { currencyType: 'AI', allocated: 5, enforcementRules: [] },
  ],
};

describe('reading an allocation', () => {
  it('asks at the encoded path, and knows what the contract names', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ body: { ...BODY, environmentId: "A/b'c" } }));

    const allocation = await session.readAllocation("a/b'c");

    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/licensing/allocationsByEnvironment/a%2Fb%27c?api-version=2024-10-01',
      body: undefined,
    });
    expect(allocation).toMatchObject({
      environmentId: "A/b'c",
      currencyAllocations: BODY.currencyAllocations.map(({ currencyType, allocated, enforcementRules }) => ({
        ...{ currencyType, allocated },
        enforcementRules: enforcementRules.map(({ ruleType, enabled }) => ({ ruleType, enabled })),
      })),
    });
  });

  it.each<[string, Answer]>([
    ['404', { status: 404, body: { error: { code: 'NotFound' } } }],
    ['204', { status: 204 }],
  ])('is none where the service answers %s', async (_, answer) => {
    const { session } = await startScriptedAdmin(() => answer);

    await expect(session.readAllocation('env-1')).resolves.toBe('none');
  });

  it.each([405, 501])('is not taken for none where the service does not offer it: %i', async (status) => {
    const { session } = await startScriptedAdmin(() => ({ status }));

    await expect(session.readAllocation('env-1')).rejects.toMatchObject({ code: 'admin_not_offered' });
  });

  const currency = BODY.currencyAllocations[0];
  const withCurrencies = (...currencyAllocations: unknown[]) => ({ ...BODY, currencyAllocations });
  const withRules = (enforcementRules: unknown) => withCurrencies({ ...currency, enforcementRules });
  it.each<[string, unknown]>([
    ['another environment', { ...BODY, environmentId: 'env-2' }],
    ['no list of currencies', { environmentId: 'env-1' }],
    ['a list of something else', withCurrencies('ServiceMessages')],
    ['a currency twice', withCurrencies(currency, { ...currency, currencyType: 'SERVICEMESSAGES' })],
    ['rules that are no list', withRules({})],
    ['a rule without a name', withRules([{}])],
    ['a rule twice', withRules([{ ruleType: 'Deny' }, { ruleType: 'deny' }])],
    ['a bare list', [BODY]],
  ])('ends unreadable with %s', async (_, body) => {
    const { session } = await startScriptedAdmin(() => ({ body }));

    await expect(session.readAllocation('env-1')).rejects.toMatchObject({ code: 'admin_unreadable' });
  });

  it.each([
    ['tells what cannot be told', null, 'perhaps', undefined, 'unknown'],
    ['reads numbers and flags that are written as text', '12', 'true', 12, true],
  ])('%s', (_, allocated, enabled, amount, isOn) => {
    const odd = { currencyType: 'AI', allocated, enforcementRules: [{ ruleType: 'Deny', enabled }] };

    const [read] = parseAllocation({ currencyAllocations: [odd] }, 'env-1').currencyAllocations;

    expect(read).toMatchObject({ allocated: amount, enforcementRules: [{ ruleType: 'Deny', enabled: isOn }] });
  });
});

describe('updating an allocation', () => {
  it('sends all currencies, what nobody knows in them included, and nothing of the response itself', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ body: BODY }));
    const [first, second] = BODY.currencyAllocations;
    const context = { '@odata.context': 'https://service/$metadata', region: { name: 'europe' } };
    const read = { ...context, ...BODY, currencyAllocations: [{ ...first, autoAllocated: 50 }, second] };

    await session.updateAllocation(parseAllocation(read, 'env-1'));

    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/licensing/allocationsByEnvironment?api-version=2024-10-01',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    });
    expect(seen[0]?.body).toEqual(BODY);
  });

  it('carries back whatever was read, but what is read only', () => {
    const fields = fc.dictionary(fc.string(), fc.jsonValue());
    const flag = fc.oneof(fc.boolean(), fc.constantFrom(1, 0, 'true', 'False', 'unknown', null), fc.jsonValue());
    const rule = fc.record({ ruleType: fc.uuid(), enabled: flag }, { requiredKeys: ['ruleType'] });
    const amount = fc.oneof(fc.nat(), fc.nat().map(String), fc.constantFrom(' 7 ', '', null), fc.jsonValue());
    const rules = fc.option(fc.array(rule));
    const named = fc.record(
      { currencyType: fc.uuid(), allocated: amount, enforcementRules: rules },
      { requiredKeys: ['currencyType'] },
    );
    const currency = fc.tuple(fields, named).map(([others, known]) => ({ ...others, ...known }));
    const uniquely = { selector: (one: { currencyType: string }) => one.currencyType };
    const allocation = fc
      .uniqueArray(currency, uniquely)
      .map((currencyAllocations) => ({ environmentId: 'env-1', currencyAllocations }));
    fc.assert(
      fc.property(allocation, (sent) => {
        const plain = JSON.parse(JSON.stringify(sent)) as object;
        expect(JSON.parse(JSON.stringify(toAllocationBody(parseAllocation(plain, 'env-1'))))).toEqual(plain);
      }),
    );
  });

  it('writes in our form only what is set anew', () => {
    const rules = [
      { ruleType: 'Deny', enabled: 1, percent: 90 },
      { ruleType: 'Alert', enabled: 'true' },
      { ruleType: 'Throttle', enabled: 1 },
    ];
    const odd = { currencyType: 'ServiceMessages', allocated: '5000', enforcementRules: rules };
    const untouched = { currencyType: 'AI', allocated: '12', enforcementRules: null };
    const read = parseAllocation({ environmentId: 'env-1', currencyAllocations: [odd, untouched] }, 'env-1');
    const states = { Alert: true, TenantPool: false, PayGo: false, Deny: false };

    const body = toAllocationBody(withCredits(read, { [odd.currencyType]: { allocated: 6000, rules: states } }));

    expect(body.currencyAllocations).toEqual([
      {
        currencyType: 'ServiceMessages',
        allocated: 6000,
        enforcementRules: [
          { ruleType: 'Deny', enabled: false, percent: 90 },
          { ruleType: 'Alert', enabled: 'true' },
          { ruleType: 'Throttle', enabled: 1 },
          { ruleType: 'TenantPool', enabled: false },
          { ruleType: 'PayGo', enabled: false },
        ],
      },
      untouched,
    ]);
  });
});

describe('the id that the service gives a request', () => {
  it.each([
    ['request-id', 'r-1', 'r-1'],
    ['x-ms-correlation-request-id', 'r-2', 'r-2'],
    ['x-request-id', 'r-3', 'r-3'],
    // It goes into logs.
    ['request-id', 'Ana Lopez, call me', undefined],
  ])('comes with the receipt of a write, from %s, if it is a short identifier: %s', async (name, id, requestId) => {
    const { session } = await startScriptedAdmin(() => ({ status: 204, headers: { [name]: id } }));

    await expect(session.updateAllocation(parseAllocation(BODY, 'env-1'))).resolves.toEqual({ requestId });
  });

  it.each<[string, Answer]>([
    ['400', { status: 400, headers: { 'request-id': 'r-1' } }],
    ['403', { status: 403, headers: { 'request-id': 'r-1' } }],
    ['429', { status: 429, headers: { 'request-id': 'r-1', 'retry-after': '60' } }],
    ['500 in its body', { status: 500, body: { error: { code: 'X', innerError: { 'request-id': 'r-1' } } } }],
  ])('comes with the error after %s', async (_, answer) => {
    const { session } = await startScriptedAdmin(() => answer);

    const writing = session.updateAllocation(parseAllocation(BODY, 'env-1'));
    await expect(writing).rejects.toMatchObject({ trace: { requestId: 'r-1' } });
    await expect(session.readEntitlements('env-1')).rejects.toMatchObject({ trace: { requestId: 'r-1' } });
  });
});
