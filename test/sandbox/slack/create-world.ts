/** Builds the teams of one Slack. */
import { createDelivery } from './delivery.ts';
import { createEvents } from './events.ts';
import { createFaults } from './faults.ts';
import type { Post } from './http-post.ts';
import { createInstalls } from './installs.ts';
import { createLedger } from './ledger.ts';
import { createRateLimits } from './rate-limits.ts';
import { createRegistration } from './registration.ts';
import { createResponseUrls, createTriggers } from './response-urls.ts';
import { seedWorld } from './seeds.ts';
import { createSignal } from './signal.ts';
import { createSocketMode } from './socket-mode/socket-mode.ts';
import type { SlackOptions } from './start-slack.ts';
import { createViews } from './views.ts';
import { createWorkspace, type Team, type Workspace } from './workspace.ts';
import type { Credentials, World } from './world.ts';

/** The app has the same ids in every team, so that nothing can be told apart by them. */
const APP = { appId: 'A0BRIDGE', botUserId: 'U0BRIDGE', botId: 'B0BRIDGE' };
const QUICK_RETRIES_MS = [0, 100, 300];
const CREDENTIALS: Credentials = {
  // As Slack makes them: 32 hexadecimal characters.
  signingSecret: '5a9db0c7e1f24b6889d3cafe00b1d6e5',
  botToken: 'xoxb-sandbox-bot-token',
  clientId: '1000.2000',
  clientSecret: 'sandbox-client-secret',
  appToken: 'xapp-1-A0BRIDGE-1-sandbox',
};

/** What all teams of one Slack have in common. */
type Shared = Omit<
  World,
  'workspace' | 'install' | 'events' | 'rateLimits' | 'views' | 'warnings' | 'triggers' | 'responseUrls' | 'url'
> & {
  /** Empty until the server listens. */
  url: string;
  addTeam(team: Team): World;
};

export function createShared(options: SlackOptions, post: Post): Shared {
  const teams: World[] = [];
  const changed = createSignal();
  const credentials = { ...CREDENTIALS, ...options.credentials };
  const registration = createRegistration(options.scopes);
  const ledger = createLedger(options.ledger ?? 'on', changed);
  const socketMode = createSocketMode(APP.appId, changed);
  const delivery = createDelivery({
    eventsUrl: () => registration.eventsUrl,
    socketMode: () => (registration.isSocketMode ? socketMode : undefined),
    signingSecret: credentials.signingSecret,
    ackTimeoutMs: options.ackTimeoutMs ?? 3_000,
    retry: options.retry ?? QUICK_RETRIES_MS,
    ledger,
    post,
  });
  const shared: Shared = {
    url: '',
    credentials,
    registration,
    ledger,
    faults: createFaults(),
    changed,
    delivery,
    socketMode,
    installs: createInstalls(),
    echoOwnMessages: options.echoOwnMessages ?? true,
    teams: () => teams,
    addTeam(team) {
      if (teams.some((world) => world.workspace.team.id === team.id)) throw new Error(`There is a team ${team.id}.`);
      const world = createTeam(shared, team, options);
      teams.push(world);
      return world;
    },
  };
  return shared;
}

function createTeam(shared: Shared, team: Team, options: SlackOptions): World {
  const workspace = createFilledWorkspace(shared, team);
  const { url: _, addTeam: __, ...rest } = shared;
  const base = {
    ...rest,
    workspace,
    get url() {
      return shared.url;
    },
    install: () =>
      shared.installs.of(team.id) ?? (team.enterprise ? shared.installs.of(team.enterprise.id) : undefined),
  };
  const events = createEvents(base);
  workspace.onUserChanged((user) => void events.userChanged(user));
  workspace.onAudienceChanged((change) => void events.audienceChanged(change));
  const world: World = Object.assign(base, {
    events,
    rateLimits: createRateLimits(options.rateLimits ?? 'off', options.reading),
    views: createViews(shared.changed),
    warnings: [],
    triggers: createTriggers(workspace.identifiers),
    responseUrls: createResponseUrls(() => world),
  });
  return world;
}

function createFilledWorkspace({ changed }: Shared, team: Team): Workspace {
  const workspace = createWorkspace(team, { ...APP, teamId: team.id }, changed);
  workspace.addUser({
    id: APP.botUserId,
    name: 'bridge',
    realName: 'Assistant Bridge',
    isBot: true,
    appId: APP.appId,
    botId: APP.botId,
  });
  seedWorld(workspace);
  return workspace;
}
