import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/governance/audit/audit-log.ts';
import { buildAuditMessage } from '../../../src/governance/lists/audit-message.ts';
import { parsePageTurn } from '../../../src/governance/lists/list-message.ts';
import { ALL_OFF, aCurrency, anAllocation } from '../allocations/samples.ts';
import { findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { aDeployedLimit, aLastSetLimit, anAgentLimit } from '../shell/samples.ts';
import { anAuditRow, anAuditSearch } from './list-samples.ts';

const OPTIONS = { timeZone: 'Europe/Berlin', team: 'T1', turn: { query: '', page: 0 } };

const LIMIT = {
  before: aDeployedLimit({ limit: 1_000 }),
  after: anAgentLimit({ limit: 2_500 }),
  subject: { environmentId: 'env-1', agentResourceId: 'bot-1' },
};

function tell(values: Partial<AuditEntry>, isOpen = false): string {
  const message = buildAuditMessage(anAuditSearch([anAuditRow(values, isOpen)]), OPTIONS);
  expect(findMessageProblems(message)).toEqual([]);
  return readTexts(message.blocks);
}

describe('an entry', () => {
  it('says who changed what of which agent, when, why, and how it ended', () => {
    const names = { environment: () => 'Contoso <Production>', agent: () => 'Invoice Reader' };
    const row = anAuditRow({ ...LIMIT, who: { user: 'U0KIM', approver: 'U0ANA' }, reason: 'More & more' });

    const text = readTexts(buildAuditMessage(anAuditSearch([row], { names }), OPTIONS));

    expect(text).toContain('*Agent limit* · *Invoice Reader* in Contoso &lt;Production&gt;');
    expect(text).toContain(':white_check_mark: *verified*');
    expect(text).toContain('<@U0KIM>, approved by <@U0ANA> · 4 Mar 2026, 14:05 CET');
    expect(text).toContain('Monthly limit: 1,000 credits → *2,500 credits*');
    expect(text).not.toContain('unchanged');
    expect(text).toContain('Reason: More &amp; more');
    expect(text).toContain('_Request ids: r-1_');
  });

  it('goes by ids where there are no names', () => {
    expect(tell(LIMIT)).toContain('*bot-1* in env-1');
  });

  it.each<[Partial<AuditEntry>, boolean, string]>([
    [{ ...LIMIT, outcome: { kind: 'begun' } }, true, ':hourglass: *begun, and not known to have ended*'],
    [{ ...LIMIT, outcome: { kind: 'begun' } }, true, '`/assistant-admin limit`'],
    [{ outcome: { kind: 'begun' } }, true, '`/assistant-admin allocation`'],
    [
      { outcome: { kind: 'applied_not_verified', written: 'yes', reason: 'still_old' } },
      false,
      ':warning: *applied, not verified*: the service still showed the old values',
    ],
    [
      { outcome: { kind: 'failed', written: 'no', reason: 'admin_forbidden' } },
      false,
      ':x: *failed*, nothing was changed: the service did not allow it',
    ],
    [{ outcome: { kind: 'failed', written: 'perhaps', reason: 'not_recorded' } }, false, ':x: *failed*: it could not'],
    [
      { outcome: { kind: 'conflict', written: 'perhaps', reason: 'unanswered' } },
      false,
      'the service did not confirm it, and',
    ],
    [
      { outcome: { kind: 'failed', written: 'no', reason: 'overtaken' } },
      false,
      'nothing was changed: it took so long',
    ],
    [{ outcome: { kind: 'verified', written: 'yes', reason: 'interrupted' } }, false, '*verified*: it broke off'],
    [{ outcome: { kind: 'failed', written: 'no', reason: 'new_code' } }, false, 'nothing was changed: new code'],
  ])('tells the outcome in words: %o', (values, isOpen, words) => {
    expect(tell(values, isOpen)).toContain(words);
  });

  it('tells what was found in a conflict', () => {
    const expected = anAllocation(aCurrency({ allocated: 5_000 }));
    const found = anAllocation(aCurrency({ allocated: 9 }, { ...ALL_OFF, Deny: true }));
    const outcome = { kind: 'conflict', written: 'yes', reason: 'after_write' } as const;

    const limit = tell({ ...LIMIT, outcome: { ...outcome, found: aLastSetLimit({ limit: 7 }) } });
    const allocation = tell({ before: anAllocation(), after: expected, outcome: { ...outcome, found } });

    expect(limit).toContain('Found instead: *7* credits a month');
    expect(allocation).toContain('Allocated: expected 5,000 credits, found *9 credits*');
    expect(allocation).toContain('Deny when used up: expected off, found *on*');
  });

  it('names the currency where several changed', () => {
    const before = anAllocation(aCurrency(), aCurrency({ currencyType: 'AI' }));
    const after = anAllocation(aCurrency({ allocated: 7 }), aCurrency({ currencyType: 'AI', allocated: 8 }));

    const text = tell({ what: 'allocation_change', before, after });

    expect(text).toContain('ServiceMessages: Allocated: 1,000 credits → *7 credits*');
    expect(text).toContain('AI: Allocated: 1,000 credits → *8 credits*');
  });

  it.each<[Partial<AuditEntry>, string]>([
    [{ what: 'approval_requested', who: { user: 'U1', approver: 'U2' } }, '<@U1> asked <@U2>'],
    [{ what: 'approval_refused', who: { user: 'U1', approver: 'U2' } }, 'asked for by <@U1>, refused by <@U2>'],
    [{ what: 'review_run', who: {}, subject: {} }, 'this app by itself'],
    [{ team: 'T2', who: { user: 'U1' } }, 'U1 of T2'],
    [{ who: { user: '!channel' } }, '!channel of T1'],
  ])('says who it was: %o', (values, words) => {
    expect(tell(values)).toContain(words);
  });

  it('says what an operator has done with a script: how many, and with which key', () => {
    const after = { signIns: 12, key: 'k1' };
    const who = { who: { user: 'operator' }, team: '', subject: {}, outcome: { kind: 'done' } } as const;

    const said = tell({ what: 'sign_ins_ended', ...who, before: undefined, after });

    expect(said).toMatch(/\*Sign-ins ended\*\n.*done.*\noperator · .*\nsign ins: 12, key: k1/);
  });

  it('shows what an environment was classified as, and what limit was approved', () => {
    const done = { before: undefined, outcome: { kind: 'done' } } as const;
    const classified = { classification: 'maker-development', owners: ['ana@example.com'], registerHash: 'f00' };
    const limit = { monthlyLimit: 2_000, alertAt: 80, stopWhenReached: 'on' };

    const environment = tell({ ...done, what: 'environment_classified', after: classified });
    const agent = tell({ ...done, what: 'limit_approved', after: { limit, registerHash: 'f00' } });

    expect(environment).toContain('*maker development*, owners: ana@example.com');
    expect(agent).toContain('Monthly limit: *2,000*\nNotice at: *80 %*\nStops when reached: *on*');
  });

  it('shows decisions about the register, and kinds that are not known, plainly', () => {
    const accepts = [{ setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' }];
    const after = { accepts, expiresOn: '2026-05-01', registerHash: 'f00' };

    const exception = tell({ what: 'exception_accepted', before: undefined, after, outcome: { kind: 'done' } });
    const unknown = tell({ what: 'moon_landed' as never, before: undefined, after: '<!here>' });

    expect(exception).toContain('*Exception accepted* · *env-1*');
    expect(exception).toContain('Draw on the tenant pool (ServiceMessages): *on*\nAccepted until 1 May 2026.');
    expect(exception).not.toContain('f00');
    expect(unknown).toContain('*moon landed*');
    expect(unknown).toContain('&lt;!here&gt;');
  });
});

describe('the page', () => {
  const turn = { query: 'kim', page: 2, before: 90 };

  it('leads to older entries, and back to the newest', () => {
    const message = buildAuditMessage(anAuditSearch([anAuditRow()], { query: 'kim', next: 80 }), { ...OPTIONS, turn });

    expect(findButtons(message.blocks).map(({ action_id, value }) => [action_id, parsePageTurn(value)])).toEqual([
      ['admin_audit_newest', { query: 'kim', page: 0 }],
      ['admin_audit_older', { query: 'kim', page: 3, before: 80 }],
      ['admin_audit_export_csv', { query: 'kim', page: 0 }],
    ]);
    expect(message.text).toContain('entries matching “kim”: the latest first, page 3');
  });

  it('says how far a search has come that found nothing yet', () => {
    const found = anAuditSearch([], { query: 'kim', next: 80, searchedTo: anAuditRow().entry.at });

    const text = readTexts(buildAuditMessage(found, OPTIONS));

    expect(text).toContain('nothing matching “kim” so far');
    expect(text).toContain('Searched back to 4 Mar 2026, 14:05 CET');
    expect(text).toContain('Search on');
  });

  it('says that there is nothing, and that names are missing', () => {
    expect(readTexts(buildAuditMessage(anAuditSearch([]), OPTIONS))).toContain('*Audit log*: nothing.');
    const gap = anAuditSearch([], { isGap: true, query: 'x' });
    expect(readTexts(buildAuditMessage(gap, OPTIONS))).toContain('Names could not be read, and were not searched');
  });

  it('fits into a message whatever is in the log', () => {
    const wild = fc.string({ unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', '*', 'x'), maxLength: 2000 });
    const entry = fc.record({
      name: wild,
      reason: wild,
      requestIds: fc.array(wild, { maxLength: 20 }),
      after: fc.object(),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 10 }), wild, (entries, query) => {
        const currencies = Array.from({ length: 20 }, (_, index) => aCurrency({ currencyType: `${index}<${query}` }));
        const before = anAllocation(...currencies);
        const after = anAllocation(...currencies.map((one) => ({ ...one, allocated: 1e300 })));
        const rows = entries.flatMap(({ name, ...values }, index) => [
          anAuditRow({ ...values, subject: { environmentId: name, agentResourceId: name }, who: { user: name } }),
          ...(index === 0 ? [anAuditRow({ ...values, before, after, what: name as never })] : []),
        ]);
        const names = { environment: () => query, agent: () => query };
        const found = anAuditSearch(rows, { names, query: query.slice(0, 200), next: 5, searchedTo: 1, isGap: true });
        const message = buildAuditMessage(found, { ...OPTIONS, turn: { query, page: 1, before: 9 } });
        expect(findMessageProblems(message)).toEqual([]);
        expect(readTexts(message)).not.toMatch(/<[!h]/);
      }),
      { numRuns: 40 },
    );
  });
});
