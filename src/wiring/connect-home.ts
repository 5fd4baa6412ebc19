import { createPersonalData } from '../identity/personal-data.ts';
import { createHomeTab } from '../slack/home-tab.ts';
import { forgetFeedback } from '../slack/listeners/feedback.ts';
import type { ListenerPorts } from '../slack/listeners/ports.ts';
import { createOnboarding } from '../slack/onboarding.ts';
import type { SignInClicks } from '../slack/sign-in-clicks.ts';
import type { Governance } from './connect-governance.ts';
import type { Services } from './services.ts';

const loadToolReply = () => import('../slack/slackbot/tool-reply.ts');

type Home = {
  endTurn: ListenerPorts['endTurn'];
  governance(): Promise<Governance>;
  signInClicks: Pick<SignInClicks, 'forget'>;
};

/** The home tab, the greeting of newcomers, and what people can do with their data. */
export function connectHome(services: Services, { endTurn, governance, signInClicks }: Home) {
  const { config, identity, channelSettings, log } = services;
  const { store } = services.backend;
  const common = { ...services, ...store };
  const onboarding = createOnboarding(common);
  const homeTab = createHomeTab({
    ...common,
    defaultTimeZone: config.DEFAULT_TIME_ZONE,
    async capsOf(person) {
      const counted = await store.caps.listCounted(person);
      const caps = await Promise.all(
        counted.map(async (one) => {
          const { personCap: most } = await channelSettings.of({ ...one, audience: 'channel' });
          return most === undefined ? [] : [{ ...one, most }];
        }),
      );
      return caps.flat();
    },
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
      ...common,
      unlink: (person) => identity.linkFlow.unlink(person),
      endTurn,
      async forgetTraces(person, turnIds) {
        await forgetFeedback(person, turnIds, store.once);
        const { forgetToolAnswers } = await loadToolReply();
        await forgetToolAnswers(turnIds, store);
        await signInClicks.forget(person);
        await onboarding.forget(person);
        // Once more without what is deleted: from then on nothing publishes it.
        await homeTab.refresh(person);
        await homeTab.forget(person);
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
  };
}
