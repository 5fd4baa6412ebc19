import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { changeRules, type SettingChange } from '../../../src/governance/channel-rules/change-rules.ts';
import { readLog } from '../../../src/governance/lists/search-log.ts';
import { createMemoryStore, type MemoryStore } from '../../storage/memory-store.ts';

const KIM = { team: 'E1', workspace: 'T1', user: 'U0KIM' };
const REQUEST = { by: KIM, reason: 'Decided by the works council' };
const PAUSE = { word: 'until noon', by: 'U0KIM', at: 5 };

const ALL = { query: { words: [], period: undefined }, limit: 10 };

let store: MemoryStore;
let told: string[];

beforeEach(() => {
  store = createMemoryStore();
  told = [];
});

function change(one: SettingChange, audit: Pick<MemoryStore['audit'], 'append'> = store.audit) {
  const rulesChanged = (workspace: string) => void told.push(workspace);
  return changeRules(one, REQUEST, { ruleStore: store.rules, audit, rulesChanged, now: () => 1_000 });
}

const setWeb = (before: 'off' | undefined, after: 'off' | undefined, channel?: string): SettingChange => ({
  kind: 'rules',
  channel,
  before: before ? { webSearch: before } : {},
  after: after ? { webSearch: after } : {},
});

describe('a change of rules', () => {
  it('is stored for the workspace of who makes it, and announced', async () => {
    expect(await change(setWeb(undefined, 'off', 'C1'))).toBe('changed');
    expect(await change({ kind: 'pause', before: undefined, after: PAUSE })).toBe('changed');

    expect(await store.rules.get('T1')).toMatchObject({
      ...{ schema: 1, workspace: 'T1', everywhere: {} },
      ...{ channels: { C1: { webSearch: 'off' } }, pause: PAUSE },
    });
    expect(told).toEqual(['T1', 'T1']);
  });

  it('leaves nothing of a channel where everything is inherited again', async () => {
    await change(setWeb(undefined, 'off', 'C1'));
    await change(setWeb('off', undefined, 'C1'));

    expect((await store.rules.get('T1'))?.channels).toEqual({});
  });

  it('is not made where somebody else was faster, except of something else', async () => {
    await change(setWeb(undefined, 'off', 'C1'));

    expect(await change(setWeb(undefined, 'off', 'C1'))).toBe('conflict');
    expect(await change({ kind: 'pause', before: PAUSE, after: undefined })).toBe('conflict');
    expect(await change(setWeb(undefined, 'off', 'C2'))).toBe('changed');
  });

  it('lets one of two at the same time win', async () => {
    const changes = await Promise.all([change(setWeb(undefined, 'off', 'C1')), change(setWeb(undefined, 'off', 'C2'))]);

    expect(changes.toSorted()).toEqual(['changed', 'conflict']);
  });

  it('is in the audit log with who, before, after and why: one row, once it has ended', async () => {
    await change(setWeb(undefined, 'off', 'C1'));
    await change({ kind: 'pause', before: undefined, after: PAUSE });

    const { rows } = await readLog(ALL, { audit: store.audit, known: { read: async () => undefined } } as never);

    expect(rows).toMatchObject([
      {
        isOpen: false,
        entry: {
          ...{ what: 'workspace_paused', who: { user: 'U0KIM' }, team: 'E1', workspace: 'T1' },
          ...{ before: { paused: 'no' }, after: { paused: 'yes', word: 'until noon' } },
          ...{ reason: REQUEST.reason, outcome: { kind: 'done' } },
        },
      },
      {
        isOpen: false,
        entry: {
          what: 'channel_rules_changed',
          before: { channel: 'C1', rules: {} },
          after: { channel: 'C1', rules: { webSearch: 'off' } },
        },
      },
    ]);
  });

  it('is not made where the audit log cannot be written', async () => {
    const append = async () => Promise.reject(new StoreUnavailableError('away'));

    await expect(change(setWeb(undefined, 'off'), { append })).rejects.toThrow('away');

    expect(await store.rules.get('T1')).toBeUndefined();
  });

  it('that broke off after its begin is listed as open', async () => {
    let count = 0;
    const append: MemoryStore['audit']['append'] = (entry) => {
      count += 1;
      return count === 2 ? Promise.reject(new StoreUnavailableError('away')) : store.audit.append(entry);
    };
    await expect(change(setWeb(undefined, 'off'), { append })).rejects.toThrow('away');

    const { rows } = await readLog(ALL, { audit: store.audit, known: { read: async () => undefined } } as never);

    expect(rows).toMatchObject([{ isOpen: true, entry: { what: 'channel_rules_changed' } }]);
  });
});
