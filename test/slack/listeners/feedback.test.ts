import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { forgetFeedback, registerFeedback } from '../../../src/slack/listeners/feedback.ts';
import { aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

const TURN = aTurn().id;

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ interactions }, ports) => registerFeedback(interactions, ports));
});

const click = (verdict: string, user = 'UANA') =>
  world.interact({
    type: 'block_actions',
    user: { id: user },
    trigger_id: '1.2',
    actions: [{ type: 'feedback_buttons', action_id: 'feedback', block_id: 'b', value: `${verdict} ${TURN}` }],
  });

const submit = (verdict: string, reasons: string[], user = 'UANA') =>
  world.interact({
    type: 'view_submission',
    user: { id: user },
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: 'feedback',
      private_metadata: `${verdict} ${TURN}`,
      state: {
        values: {
          feedback_reasons: {
            feedback_reasons: { type: 'checkboxes', selected_options: reasons.map((value) => ({ value })) },
          },
        },
      },
    },
  });

const bad = (reason: string) => ({ kind: 'feedback', verdict: 'bad', reason });

describe('feedback', () => {
  it('counts once per person and answer, and once more where they change their mind', async () => {
    await click('bad');
    await click('bad');
    await click('bad', 'UBEN');
    await click('good');

    expect(world.told).toEqual([bad('none'), bad('none'), { kind: 'feedback', verdict: 'good', reason: 'none' }]);
    expect(world.counted.map((one) => one.split(' ')[0])).toEqual(['bad', 'bad', 'good']);
  });

  it('can be forgotten, that of one person', async () => {
    await click('bad');
    await submit('bad', ['wrong']);
    await click('bad', 'UBEN');
    await forgetFeedback({ team: 'T1', user: 'UANA' }, [TURN], world.store.once);
    await click('bad');
    await click('bad', 'UBEN');

    expect(world.counted.map((one) => one.split(' ')[0])).toEqual(['bad', 'bad', 'bad']);
  });

  it('counts each reason once', async () => {
    await click('bad');
    await submit('bad', ['wrong', 'too_slow']);
    await submit('bad', ['wrong', 'other', 'invented']);

    expect(world.told.slice(1)).toEqual([bad('wrong'), bad('too_slow'), bad('other')]);
  });

  it('without a channel asks for the reasons of a bad answer, and for nothing else', async () => {
    await click('good');
    const ofGood = world.views.length;
    await click('bad');

    expect(ofGood).toBe(0);
    const inputs = JSON.stringify(world.views.at(-1)).match(/"block_id":"\w+"/g);
    expect(inputs).toEqual(['"block_id":"feedback_reasons"']);
    expect(world.said.map(({ text }) => text)).toEqual(['Thank you, noted.', 'Thank you, noted.']);
  });

  it('that counted is not said to have done nothing, where Slack does not open the window', async () => {
    world.ports.call = () => Promise.reject(new Error('expired_trigger_id'));
    await click('bad');

    expect(world.counted).toEqual(['bad UANA']);
    expect(world.said.map(({ text }) => text)).toEqual([
      'Thank you, noted.',
      'Slack did not open the window in time. Please try again.',
    ]);
  });

  it('is thanked for where nothing can be written down', async () => {
    world.ports.once.peek = async () => {
      throw new StoreUnavailableError('down');
    };
    await click('bad');
    await submit('bad', ['wrong']);

    expect(world.said.map(({ text }) => text)).toEqual(['Thank you, noted.']);
    expect(world.acks).toEqual([undefined, expect.objectContaining({ response_action: 'update' })]);
  });
});
