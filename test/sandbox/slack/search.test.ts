import { beforeEach, describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';
import type { View } from './records.ts';

const plain = (text: string) => ({ type: 'plain_text', text });

const SEARCH = {
  type: 'modal',
  title: plain('Search'),
  submit: plain('Continue'),
  blocks: [
    {
      type: 'input',
      block_id: 'agent',
      label: plain('Agent'),
      element: { type: 'external_select', action_id: 'pick', min_query_length: 2 },
    },
  ],
};

const OPTIONS = { options: [{ text: plain('Invoice Reader'), value: 'v1', description: plain('id-1') }] };

describe('a select whose options the app loads', () => {
  const slack = openSlackForEach({ ackTimeoutMs: 2_000 });
  let view: View;

  beforeEach(async () => {
    view = await slack.openModal(SEARCH);
  });

  const kim = () => slack.as('U0KIM');

  it('asks with what is typed, and lets one of the answer be picked', async () => {
    slack.app.reply(OPTIONS);

    const result = await kim().search(view, 'Agent', 'inv');
    const asked = slack.app.lastInteraction();
    slack.app.answer = () => ({ status: 200 });
    await kim().submit(view, { Agent: 'Invoice Reader' });

    expect(asked).toMatchObject({ type: 'block_suggestion', action_id: 'pick', block_id: 'agent', value: 'inv' });
    expect(asked).not.toHaveProperty('trigger_id');
    expect(asked.view.callback_id).toBe(view.callbackId);
    expect(result).toMatchObject({
      sent: true,
      error: undefined,
      options: [{ text: 'Invoice Reader', value: 'v1', description: 'id-1', group: undefined }],
    });
    expect(slack.app.lastInteraction().view.state.values.agent.pick.selected_option.value).toBe('v1');
  });

  it('offers groups, whose labels cannot be picked', async () => {
    slack.app.reply({ option_groups: [{ label: plain('First of 20'), ...OPTIONS }] });

    const { options } = await kim().search(view, 'Agent', 'inv');

    expect(options).toMatchObject([{ group: 'First of 20', value: 'v1' }]);
    expect(() => kim().fill(view, { Agent: 'First of 20' })).toThrow('is not offered there');
  });

  it('lets nothing be picked that was not offered', () => {
    expect(() => kim().fill(view, { Agent: 'v1' })).toThrow('is not offered there');
  });

  it('asks only for texts that are long enough', async () => {
    expect(await kim().search(view, 'Agent', 'i')).toMatchObject({ sent: false, options: [] });
    expect(slack.app.requests).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['too many', { options: Array.from({ length: 101 }, () => OPTIONS.options[0]) }, 'no more than 100'],
    ['too long a text', { options: [{ text: plain('x'.repeat(76)), value: 'v' }] }, 'less than 76'],
    ['too long a value', { options: [{ text: plain('x'), value: 'v'.repeat(151) }] }, 'less than 151'],
    ['an empty group', { option_groups: [{ label: plain('x'), options: [] }] }, 'no fewer than 1'],
    ['both', { ...OPTIONS, option_groups: [] }, 'either options or option_groups'],
    ['no object', 'x', 'not JSON'],
  ])('offers nothing where the app answers %s', async (_, body, problem) => {
    slack.app.reply(body);

    const { options, error } = await kim().search(view, 'Agent', 'inv');

    expect(options).toEqual([]);
    expect(error).toContain(problem);
  });

  it('offers nothing where there is none, or the app is late', async () => {
    slack.app.reply({ options: [] });
    const none = await kim().search(view, 'Agent', 'inv');
    slack.app.answer = () => undefined;
    const late = await kim().search(view, 'Agent', 'inv');

    expect(none).toMatchObject({ options: [], error: undefined });
    expect(late).toMatchObject({ options: [], error: 'operation_timeout' });
  });

  it('needs an address in the manifest', async () => {
    slack.connectApp(slack.app.url, { settings: { interactivity: { is_enabled: true, request_url: slack.app.url } } });

    await expect(kim().search(view, 'Agent', 'inv')).rejects.toThrow('no options load URL');
  });
});
