// What a run has settled of a review, and how its message shows that.
import { beforeEach, describe, expect, it } from 'vitest';
import { keepReview, readReview, settleFindings } from '../../../src/governance/review/kept-review.ts';
import type { Reviewed } from '../../../src/governance/review/review.ts';
import { rememberMessage, showSettled } from '../../../src/governance/review/settled-message.ts';
import type { EndedRun, ResultKind } from '../../../src/governance/run/run-store.ts';
import type { GovernanceServices } from '../../../src/governance/services.ts';
import { type Edit, setEdit } from '../../../src/policy/edit.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { CURRENCY } from '../samples.ts';
import { aWorld, textOf } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from './a-tenant.ts';

const ENV = { environmentId: 'env-1' };
const AGENT = { ...ENV, agentId: 'env-1-agent-1', currency: CURRENCY };
const POLICY = toPolicy([
  setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: {} }),
  setEdit('class', ENV, 'maker'),
]);
const CLICK = { channel: { id: 'D1' }, container: { channel_id: 'D1', message_ts: '1.2' } };

/** Messages that were changed. */
let shown: { channel: string; ts: string; text: string }[];
let services: GovernanceServices;

beforeEach(() => {
  shown = [];
  services = aWorld().services;
  Object.assign(services, {
    messenger: {
      update: async ({ channel }: { channel: string }, ts: string, { blocks }: Content) =>
        void shown.push({ channel, ts, text: textOf(blocks) }),
    },
  });
});

/** Two agents of which one is allowed more, and one less. */
function aReview(): Reviewed {
  const thresholds = Object.fromEntries(
    [900, 1].map((credits, at) => [`env-1-agent-${at + 1}`, { limit: { ...LIMIT, credits }, stopped: false }]),
  );
  return reviewSeen(POLICY, aSeen({ agents: [1, 2].map((at) => aSeenAgent('env-1', at)), thresholds }));
}

/** A run that was begun from a message of this review. */
async function end({ findings, ...review }: Reviewed, edits: Edit[], kinds: ResultKind[], click: object = CLICK) {
  await keepReview({ findings, ...review }, services);
  await rememberMessage({ id: review.head.id, index: 0 }, { body: click, replyTo: 'D1 1.2' }, services);
  const items = findings.flatMap((one) => ('item' in one ? [one.item] : [])).slice(0, kinds.length);
  await showSettled(
    {
      run: { by: { team: 'T1', workspace: 'T1', user: 'UKIM' }, replyTo: 'D1 1.2' },
      content: { plan: { edits, items } },
      results: new Map(kinds.map((kind, index) => [index, { kind }])),
    } as unknown as EndedRun,
    services,
  );
  return shown[0]?.text ?? '';
}

const countOf = (text: string, what: string) => text.split(what).length - 1;

describe('the message of a review', () => {
  it('ticks off what was set back, and goes on to offer the rest', async () => {
    const text = await end(aReview(), [], ['verified']);

    expect(shown).toMatchObject([{ channel: 'D1', ts: '1.2' }]);
    expect(countOf(text, '✓ ')).toBe(1);
    expect(countOf(text, '"Set back"')).toBe(1);
    expect(text).not.toContain('Set all');
  });

  it.each(['sent_not_shown', 'conflict', 'failed', 'left'] as const)(
    'goes on to offer what ended as %s',
    async (kind) => {
      const text = await end(aReview(), [], ['verified', kind]);

      expect(countOf(text, '✓ ')).toBe(1);
      expect(countOf(text, '"Set back"')).toBe(1);
    },
  );

  it.each([
    ['kept', setEdit('limit', AGENT, { ...LIMIT, credits: 900 }), 1],
    ['about its limit in another currency', setEdit('limit', { ...AGENT, currency: 'Other' }, LIMIT), 0],
    ['about its stop, which does not differ', setEdit('stop', { ...ENV, agentId: AGENT.agentId }, false), 0],
    ['about an agent of another environment', setEdit('limit', { ...AGENT, environmentId: 'env-2' }, LIMIT), 0],
    ['about the class', setEdit('class', ENV, 'production'), 0],
  ])('ticks off what was kept, and nothing else: %s', async (_what, edit, ticked) => {
    expect(countOf(await end(aReview(), [edit], []), '✓ ')).toBe(ticked);
  });

  it('ticks off what two runs settled that end at once', async () => {
    const { head, findings } = aReview();
    await keepReview({ head, findings }, services);
    const settle = (group: string) => settleFindings(head.id, (finding) => finding.group === group, services);

    await Promise.all([settle('more'), settle('less')]);

    expect((await readReview(head.id, services))?.findings).toMatchObject([{ isSettled: true }, { isSettled: true }]);
  });

  it('goes on to offer a class where something else of the environment was set', async () => {
    const found = reviewSeen(POLICY, aSeen({ environments: ['env-1', 'env-9'] }));
    const text = await end(found, [setEdit('owners', { environmentId: 'env-9' }, ['kim'])], []);

    expect(countOf(text, '✓ ')).toBe(0);
    expect(text).toContain('"Maker"');
  });

  it('says on what the morning post said besides', async () => {
    const { head, ...reviewed } = aReview();
    const figures = { isFirst: false, review: 'r0', differing: 2, unknown: 0, over: { count: 0, names: [] } };
    const text = await end(
      { ...reviewed, head: { ...head, news: { ...figures, lines: ['An owner was not reached.'] } } },
      [],
      ['verified'],
    );

    expect(text).toContain('An owner was not reached.');
  });

  it('stays as it is where only the person who clicked sees it, or where it is not kept any more', async () => {
    await end(aReview(), [], ['verified'], { container: { ...CLICK.container, is_ephemeral: true } });
    expect(shown).toEqual([]);
    services.once.peek = async () => undefined;
    await end(aReview(), [], ['verified']);
    expect(shown).toEqual([]);
  });
});
