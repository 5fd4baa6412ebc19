import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALLOCATION_OPEN_ACTION,
  parseEnvironmentValue,
} from '../../../src/governance/allocations/allocation-form-views.ts';
import {
  AGENTS_OPEN_ACTION,
  buildEnvironmentsMessage,
  USAGE_OPEN_ACTION,
} from '../../../src/governance/lists/environments-message.ts';
import { parsePageTurn } from '../../../src/governance/lists/list-message.ts';
import { findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { anEnvironmentPage, anEnvironmentRow } from './list-samples.ts';

const BERLIN = { timeZone: 'Europe/Berlin' };

describe('the list of environments', () => {
  it('tells name, id, owner and how many agents there are of which kind', () => {
    const text = readTexts(buildEnvironmentsMessage(anEnvironmentPage(), BERLIN));

    expect(text).toContain('*Contoso Production*');
    expect(text).toContain('Id env-1 · Owner: owner-1');
    expect(text).toContain('12 agents (4 by a harness, 7 not, 1 unknown)');
    expect(text).toContain('As of 4 Mar 2026, 14:05 CET');
  });

  it('offers what there is to open of each', () => {
    const message = buildEnvironmentsMessage(anEnvironmentPage(), BERLIN);

    const told = findButtons(message.blocks)
      .slice(0, -1)
      .map(({ action_id, value }) => [action_id, parseEnvironmentValue(value)]);
    const environment = { environmentId: 'env-1', name: 'Contoso Production' };
    expect(told).toEqual([
      [ALLOCATION_OPEN_ACTION, environment],
      [USAGE_OPEN_ACTION, environment],
      [AGENTS_OPEN_ACTION, environment],
    ]);
  });

  it('offers nothing where the id does not fit into a button', () => {
    const rows = [anEnvironmentRow({ environmentId: 'x'.repeat(2_000) })];

    const buttons = findButtons(buildEnvironmentsMessage(anEnvironmentPage({ rows }), BERLIN).blocks);
    expect(buttons.map(({ action_id }) => action_id)).toEqual(['admin_environments_export_csv']);
  });

  it.each(['', '{}', 'null', '{{', '{"environmentId":"","name":"x"}'])('does not take “%s” for one', (value) => {
    expect(parseEnvironmentValue(value)).toBeUndefined();
  });

  it('turns pages both ways, with the search', () => {
    const page = anEnvironmentPage({ page: 1, pageCount: 200, total: 2_000, query: '<x>' });

    const message = buildEnvironmentsMessage(page, BERLIN);

    expect(message.text).toContain('2,000 environments matching “&lt;x&gt;”, page 2 of 200');
    const turns = findButtons(message.blocks).slice(-3);
    expect(turns.map(({ action_id, value }) => [action_id, parsePageTurn(value)])).toEqual([
      ['admin_environments_previous', { query: '<x>', page: 0 }],
      ['admin_environments_next', { query: '<x>', page: 2 }],
      ['admin_environments_export_csv', { query: '<x>', page: 0 }],
    ]);
  });

  it.each([
    [{ truncated: true }, 'environments may be missing'],
    [{ agentGap: 'truncated' as const }, 'At least 12 agents (4 by a harness, 7 not, 1 unknown)'],
    [{ agentGap: 'truncated' as const }, 'did not list all agents'],
    [{ agentGap: 'unreadable' as const, rows: [anEnvironmentRow({ agents: undefined })] }, 'Agents: could not be read'],
    [{ rows: [anEnvironmentRow({ agents: { all: 0, harness: 0, unknown: 0 } })] }, '\nNo agents'],
    [
      { rows: [], query: 'colour:x' },
      '`colour:` is no filter. `/assistant-admin environments` has: `owner:<id or @person>`',
    ],
    [{ pageCount: 21, total: 210 }, 'type part of its name: `/assistant-admin environments part of the name`'],
    [{ strayAgents: 1 }, '1 agent is in no environment of the whole list'],
    [{ rows: [], query: 'x' }, '*Environments*: none matching “x”. Try part of the name'],
  ])('says what is missing: %o', (values, words) => {
    expect(readTexts(buildEnvironmentsMessage(anEnvironmentPage(values), BERLIN))).toContain(words);
  });

  it('fits into a message whatever the names are like', () => {
    const wild = fc.string({ unit: fc.constantFrom('<', '&', '"', '\\', '\n', '👩‍👩‍👧‍👦', 'é', 'x'), maxLength: 3000 });
    const id = fc.string({ unit: fc.constantFrom('"', '\\', '<', 'x', 'ü'), minLength: 1, maxLength: 256 });
    const row = fc.record({ name: wild, ownerId: wild, environmentId: id });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), wild, (values, query) => {
        const rows = values.map((value) => anEnvironmentRow(value));
        const page = anEnvironmentPage({ rows, page: 1, pageCount: 3, query: query.slice(0, 200), strayAgents: 1 });
        expect(findMessageProblems(buildEnvironmentsMessage(page, BERLIN))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
