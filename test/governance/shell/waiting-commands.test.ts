import { expect, it } from 'vitest';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createWaitingCommands } from '../../../src/governance/shell/waiting-commands.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const KIM = { team: 'T1', user: 'U1' };

const given = (text: string) => ({ body: { team_id: 'T1' }, user: 'U1', text, place: 'C1' });

it('a command that is taken while another is being kept is carried out once', async () => {
  const { once } = createMemoryStore();
  const { promise: isLooking, resolve: looks } = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  let isSlow = false;
  const commands = createWaitingCommands({
    once: {
      ...once,
      async peek(key: string) {
        const found = await once.peek(key);
        looks();
        if (isSlow) await mayGoOn;
        return found;
      },
    },
    exclusively: createExclusively(),
    now: Date.now,
  });
  await commands.keep(KIM, given('agents'));

  isSlow = true;
  const keeping = commands.keep(KIM, given('limits'));
  await isLooking;
  const taking = commands.take(KIM);
  goOn();
  await keeping;

  const taken = [...(await taking), ...(await commands.take(KIM))];
  expect(taken.map(({ text }) => text)).toEqual(['agents', 'limits']);
});
