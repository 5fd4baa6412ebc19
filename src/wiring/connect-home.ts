import type { Identity } from '../identity/identity.ts';
import { createPersonalData } from '../identity/personal-data.ts';
import { createHomeTab } from '../slack/home-tab.ts';
import { forgetFeedback } from '../slack/listeners/feedback.ts';
import type { HomePorts } from '../slack/listeners/home.ts';
import type { ListenerPorts } from '../slack/listeners/message.ts';
import { createOnboarding } from '../slack/onboarding.ts';
import type { Governance } from './connect-governance.ts';
import type { Parts } from './parts.ts';

type Rest = {
  identity: Pick<Identity, 'linkFlow'>;
  endTurn: ListenerPorts['endTurn'];
  governance(): Promise<Governance>;
};

/** The home tab, the greeting of newcomers, and what people can do with their data. */
export function connectHome(parts: Parts, { identity, endTurn, governance }: Rest): HomePorts {
  const { config, log } = parts;
  const { store } = parts.backend;
  const { linkFlow } = identity;
  const common = { ...parts, ...store };
  const onboarding = createOnboarding(common);
  const homeTab = createHomeTab({
    ...common,
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    async adminBlocks(owner) {
      try {
        const { adminBlocks } = await governance();
        return await adminBlocks(owner);
      } catch (error) {
        log.info({ err: error }, 'home tab shown without the review');
        return [];
      }
    },
  });
  return {
    onboarding,
    homeTab,
    personalData: createPersonalData({
      ...store,
      unlink: (person) => linkFlow.unlink(person),
      endTurn,
      async forgetTraces(person, turnIds) {
        await forgetFeedback(person, turnIds, store.once);
        await onboarding.forget(person);
        await homeTab.forget(person);
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
  };
}
