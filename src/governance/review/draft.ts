// Drafts the first policy: two classes, a class for each environment, and the present settings as approved, so that later
// changes are found. Pure.
import { type Edit, setEdit } from '../../policy/edit.ts';
import { toAgentTarget } from '../../policy/target.ts';
import type { Limit } from '../../policy/values.ts';
import { toComparable } from '../inventory/inventory.ts';
import { isSameLimit } from '../plan/compare.ts';
import type { Seen, SeenAgent, SeenEnvironment } from '../plan/seen.ts';

export const MAKER = 'maker';
export const PRODUCTION = 'production';

/** `productionWords`: an environment with one of them in its name is for production. Limits: undefined if left open. */
export type DraftInput = {
  productionWords: readonly string[];
  makerLimit: Limit | undefined;
  productionLimit: Limit | undefined;
  currency: string;
};

export type Draft = {
  edits: Edit[];
  /** Names. */
  production: string[];
  maker: string[];
  /** Environments whose credits could not be read. The policy does not state them. */
  unreadable: string[];
  /** Agents whose limit or stop is approved as it was found. */
  asFound: number;
};

export function draftPolicy(seen: Seen, input: DraftInput): Draft {
  const draft: Draft = { edits: [...draftStandards(input)], production: [], maker: [], unreadable: [], asFound: 0 };
  const production = new Set<string>();
  for (const environment of seen.environments) {
    const { environmentId, name } = environment;
    const isProduction = fitsWords(name, input.productionWords);
    if (isProduction) production.add(environmentId.toLowerCase());
    (isProduction ? draft.production : draft.maker).push(name);
    draft.edits.push(setEdit('class', { environmentId }, isProduction ? PRODUCTION : MAKER));
    draftCredits(environment, seen, draft);
  }
  for (const agent of seen.agents) {
    const isProduction = production.has(agent.environmentId.toLowerCase());
    draftAgent(agent, isProduction ? input.productionLimit : input.makerLimit, { seen, input, draft });
  }
  return draft;
}

/** The classes state no credits: those are approved separately for each environment. */
function draftStandards({ makerLimit, productionLimit }: DraftInput): Edit[] {
  const toStandard = (limit: Limit | undefined) => ({ ...(limit !== undefined && { limit }), credits: {} });
  return [
    setEdit('standard', { className: MAKER }, toStandard(makerLimit)),
    setEdit('standard', { className: PRODUCTION }, toStandard(productionLimit)),
  ];
}

function fitsWords(name: string, words: readonly string[]): boolean {
  const comparable = toComparable(name);
  return words.some((word) => comparable.includes(toComparable(word)));
}

function draftCredits({ environmentId, name }: SeenEnvironment, seen: Seen, draft: Draft): void {
  const looked = seen.credits(environmentId);
  if (looked === undefined || looked === 'unreadable') {
    draft.unreadable.push(name);
    return;
  }
  for (const [currency, credits] of Object.entries(looked.credits)) {
    draft.edits.push(setEdit('credits', { environmentId, currency }, credits));
  }
}

type Drafting = { seen: Seen; input: DraftInput; draft: Draft };

function draftAgent(
  agent: SeenAgent,
  ofClass: Limit | undefined,
  { seen, input: { currency }, draft }: Drafting,
): void {
  const shown = seen.threshold(agent, currency);
  if (shown === 'hidden' || shown === 'unreadable') return;
  const isOwn = shown.limit !== 'none' && (ofClass === undefined || !isSameLimit(shown.limit, ofClass));
  if (isOwn) draft.edits.push(setEdit('limit', toAgentTarget(agent, currency), shown.limit));
  if (shown.stopped) draft.edits.push(setEdit('stop', toAgentTarget(agent), true));
  if (isOwn || shown.stopped) draft.asFound += 1;
}
