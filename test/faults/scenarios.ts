import type { Scenario } from './scenario.ts';
import { acknowledgement } from './scenarios/acknowledgement.ts';
import { clockJumps } from './scenarios/clock-jumps.ts';
import { connections } from './scenarios/connections.ts';
import { flood } from './scenarios/flood.ts';
import { forgedSignIns } from './scenarios/forged-sign-ins.ts';
import { generatedAnswers } from './scenarios/generated-answers.ts';
import { hostileAnswers } from './scenarios/hostile-answers.ts';
import { kills } from './scenarios/kills.ts';
import { lostAnswers } from './scenarios/lost-answers.ts';
import { malformedPayloads } from './scenarios/malformed-payloads.ts';
import { mixture } from './scenarios/mixture.ts';
import { powerCuts } from './scenarios/power-cuts.ts';
import { rateLimitStorm } from './scenarios/rate-limit-storm.ts';
import { redisFaults } from './scenarios/redis-faults.ts';
import { repeats } from './scenarios/repeats.ts';
import { rollingRestarts } from './scenarios/rolling-restarts.ts';
import { serviceFaults, serviceHangs } from './scenarios/service-faults.ts';
import { slowConnections } from './scenarios/slow-connections.ts';
import { stepFreezes } from './scenarios/step-freezes.ts';
import { stepKills } from './scenarios/step-kills.ts';
import { tokenRefresh } from './scenarios/token-refresh.ts';
import { unlicensed } from './scenarios/unlicensed.ts';
import { zombies } from './scenarios/zombies.ts';

export const SCENARIOS: readonly Scenario[] = [
  kills,
  mixture,
  stepKills,
  stepFreezes,
  zombies,
  rollingRestarts,
  ...redisFaults,
  powerCuts,
  repeats,
  rateLimitStorm,
  lostAnswers,
  serviceFaults,
  serviceHangs,
  clockJumps,
  tokenRefresh,
  unlicensed,
  acknowledgement,
  malformedPayloads,
  hostileAnswers,
  generatedAnswers,
  forgedSignIns,
  slowConnections,
  flood,
  connections,
];
