import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildManifest } from '../../../manifest/manifest.ts';
import { CHANGED_SHAPES } from './changed-shapes.ts';
import { CLICK_SHAPES } from './click-shapes.ts';
import { COMMAND_SHAPES } from './command-shapes.ts';
import { EVENT_SHAPES, RATE_LIMITED } from './event-shapes.ts';
import { type IntakeWorld, startIntakeWorld } from './intake-world.ts';
import { QUIET_SHAPES } from './quiet-shapes.ts';
import { REPLY_SHAPES } from './reply-shapes.ts';
import type { Shapes } from './shape.ts';
import { toEvent } from './shapes.ts';
import { SPOKEN_SHAPES } from './spoken-shapes.ts';

const ALL: Record<string, Shapes> = {
  messages: { ...SPOKEN_SHAPES, ...REPLY_SHAPES, ...CHANGED_SHAPES, ...QUIET_SHAPES },
  events: EVENT_SHAPES,
  interactions: { ...COMMAND_SHAPES, ...CLICK_SHAPES },
};

const toBody = (shape: Shapes[string]) =>
  'body' in shape ? shape.body : toEvent(shape.event, shape.place, shape.around);

let world: IntakeWorld;

beforeAll(async () => {
  world = await startIntakeWorld();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

describe.each(Object.entries(ALL))('the %s that Slack sends', (_, shapes) => {
  it.each(Object.entries(shapes))('%s', async (_, shape) => {
    const { headers, before = [], ended, question, comes = question ? 'question' : [] } = shape;
    const { reply = '', complaint, status = 200 } = shape;
    for (const earlier of before) await world.deliver(earlier);
    if (ended) await world.end(ended);

    const seen = await world.deliver(toBody(shape), headers);

    const complaints = complaint ? [expect.stringContaining(complaint)] : [];
    expect(seen.effects).toEqual([comes].flat());
    expect(seen).toMatchObject({ status, questions: question ? [question] : expect.anything(), complaints });
    if (reply === '') expect(seen.reply).toBe('');
    else expect(seen.reply).toContain(reply);
  });
});

describe('the payloads', () => {
  it('are of every kind that is subscribed to, and of every command and shortcut', () => {
    const { settings, features } = buildManifest({ publicUrl: 'https://bridge.example' });
    const kinds = settings.event_subscriptions.bot_events.map((name) => name.replace(/\.\w+$/, ''));
    const bodies = Object.values(ALL).flatMap((shapes) => Object.values(shapes).map(toBody));
    const events = new Set(bodies.map(({ event }) => (event as { type?: string } | undefined)?.type));
    const commands = new Set(bodies.map(({ command }) => command));
    const shortcuts = new Set(bodies.map(({ callback_id }) => callback_id));

    expect(kinds.filter((kind) => !events.has(kind))).toEqual([]);
    expect(features.slash_commands.filter(({ command }) => !commands.has(command))).toEqual([]);
    expect(features.shortcuts.filter(({ callback_id }) => !shortcuts.has(callback_id))).toEqual([]);
  });

  it('are not only events: where Slack drops some, an operator is told', async () => {
    const seen = await world.deliver(RATE_LIMITED);
    const forged = await world.deliver(RATE_LIMITED, { 'x-slack-signature': `v0=${'0'.repeat(64)}` });

    expect(seen).toMatchObject({ status: 200, effects: [] });
    expect(seen.complaints.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'warn',
        msg: expect.stringContaining('slack drops events'),
        ...{ team: 'T0ACME', minute_rate_limited: 1_795_000_000 },
      },
    ]);
    expect(forged.status).toBe(401);
  });
});
