import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgentValue, SET_LIMIT_ACTION } from '../../../src/governance/limits/limit-form-views.ts';
import { buildAgentsMessage } from '../../../src/governance/lists/agents-message.ts';
import type { AgentPage } from '../../../src/governance/lists/list-agents.ts';
import { parsePageTurn } from '../../../src/governance/lists/list-message.ts';
import { findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AGENT } from '../shell/samples.ts';
import { anAgentPage, anInventoryRow } from './list-samples.ts';

const OPTIONS = { timeZone: 'Europe/Berlin', turn: { query: 'invoice env:lab', page: 1 } };
const YES = { name: 'invoice', environment: 'lab', owner: '', harness: 'yes' } as const;

describe('the list of agents', () => {
  it('tells name, environment, owner, harness and ids, and offers to set the limit', () => {
    const message = buildAgentsMessage(anAgentPage(), OPTIONS);

    const text = readTexts(message);
    expect(text).toContain('*Agents*: 1 agent');
    expect(text).toContain('*Invoice Reader* in Production');
    expect(text).toContain('Owner: owner-1 · Harness agent: yes');
    expect(text).toContain('Id agent-1 · limits go by bot-1 · environment env-1');
    expect(text).toContain('As of 4 Mar 2026, 14:05 CET');
    const [button] = findButtons(message.blocks).filter(({ action_id }) => action_id === SET_LIMIT_ACTION);
    expect(parseAgentValue(button?.value ?? '')).toEqual(AGENT);
  });

  it('keeps what is not known of the harness apart from no', () => {
    const rows = (['unknown', false] as const).map((isHarness) => anInventoryRow({ isHarness }));

    const text = readTexts(buildAgentsMessage(anAgentPage({ rows }), OPTIONS));

    expect(text).toContain('Harness agent: unknown');
    expect(text).toContain('Harness agent: no');
  });

  it('filters by the harness with buttons that keep the rest of what was typed', () => {
    const page = anAgentPage({ filter: YES, harness: { yes: 25, no: 1_000, unknown: 2 }, total: 25, pageCount: 3 });

    const message = buildAgentsMessage({ ...page, page: 1 }, OPTIONS);

    const buttons = findButtons(message.blocks).filter(({ action_id }) => action_id.startsWith('admin_agents_'));
    expect(buttons.map(({ action_id, value }) => [action_id, parsePageTurn(value)])).toEqual([
      ...['any', 'yes', 'no', 'unknown'].map((harness) => [
        `admin_agents_harness_${harness}`,
        { query: 'invoice env:lab', page: 0, harness },
      ]),
      ['admin_agents_previous', { query: 'invoice env:lab', page: 0 }],
      ['admin_agents_next', { query: 'invoice env:lab', page: 2 }],
      ['admin_agents_export_csv', { query: 'invoice env:lab', page: 0 }],
    ]);
    const texts = readTexts(message);
    for (const words of ['All (1,027)', 'Harness (25)', 'Not harness (1,000)', 'Unknown (2)']) {
      expect(texts).toContain(words);
    }
    expect(texts).toContain('25 harness agents matching “invoice” in the environment “lab”, page 2 of 3');
    expect(texts).toContain('Of 2 more agents the service does not tell whether a harness made them');
  });

  it('keeps the chosen filter on the pages that follow', () => {
    const turn = { query: '', page: 0, harness: 'unknown' } as const;
    const page = anAgentPage({ filter: { ...YES, harness: 'unknown' }, pageCount: 2, total: 20 });

    const buttons = findButtons(buildAgentsMessage(page, { ...OPTIONS, turn }).blocks);

    expect(parsePageTurn(buttons.find(({ action_id }) => action_id.endsWith('next'))?.value ?? '')).toEqual({
      ...turn,
      page: 1,
    });
  });

  it('says what is missing', () => {
    const text = readTexts(buildAgentsMessage(anAgentPage({ truncated: true, isGap: true }), OPTIONS));

    expect(text).toContain('agents may be missing');
    expect(text).toContain('The names of environments could not be read');
  });

  it('says that there are none, and what to try', () => {
    const harness = { yes: 0, no: 0, unknown: 0 };
    const none = (values: Partial<AgentPage>) => anAgentPage({ rows: [], harness, ...values });
    const message = buildAgentsMessage(none({ filter: YES }), OPTIONS);
    const byOwner = buildAgentsMessage(none({ filter: { ...YES, name: '', environment: '', owner: 'x' } }), OPTIONS);
    const others = buildAgentsMessage(none({ filter: YES, harness: { ...harness, no: 2 } }), OPTIONS);

    expect(message.text).toContain(
      'no harness agents matching “invoice” in the environment “lab”. Try part of the name,',
    );
    expect(message.text).toContain('the environment as `/assistant-admin environments` shows it, or `/assistant-admin');
    expect(byOwner.text).toContain(" Try the owner's id in the directory, as the list shows it, or");
    expect(others.text).toContain('“lab”. See *All*.');
    expect(findMessageProblems(message)).toEqual([]);
  });

  it('fits into a message whatever the names are like', () => {
    const wild = fc.string({ unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', 'é', 'x'), maxLength: 3000 });
    const id = fc.string({ unit: fc.constantFrom('"', '\\', '<', 'x', 'ü'), minLength: 1, maxLength: 256 });
    const row = fc.record({ displayName: wild, environmentName: wild, ownerId: wild, environmentId: id, name: id });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), wild, (values, typed) => {
        const rows = values.map((value) => anInventoryRow({ ...value, agentResourceId: `${value.name}-` }));
        const query = typed.slice(0, 200);
        const filter = { name: query, environment: query, owner: query, harness: 'yes' } as const;
        const page = anAgentPage({ rows, filter, total: 20_000, page: 1, pageCount: 2000 });
        const message = buildAgentsMessage(page, { ...OPTIONS, turn: { query, page: 1 } });
        expect(findMessageProblems(message)).toEqual([]);
        expect(readTexts(message)).not.toMatch(/<[!@h]/);
      }),
      { numRuns: 50 },
    );
  });
});
