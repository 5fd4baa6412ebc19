// What the simulated assistant can talk about, and which of its documents each part of an answer comes from.
import type { DocumentId } from './simulated-documents.ts';
import type { Answers } from './simulated-english.ts';

export type AnswerPart = {
  readonly says: Exclude<keyof Answers, 'says' | 'closed' | 'notKnown' | 'contents'>;
  /** Left out for people who may not read it, or where the web is off; without it the part rests on nothing. */
  readonly from?: DocumentId | 'web';
};

/** A kind of question, found by its words. */
export type Topic = {
  readonly words: RegExp;
  readonly parts: readonly AnswerPart[];
  /** Where none of the documents of `parts` is left. */
  readonly otherwise?: readonly AnswerPart[];
};

/** The first one that fits answers. */
export const TOPICS: readonly Topic[] = [
  {
    words: /^(?:please |bitte )?(?:send|book|schedule|create|delete|order|invite|sende|buche|erstelle|lösche|lade)\b/i,
    parts: [{ says: 'cannotAct' }],
  },
  {
    words: /\b(?:messages|did I miss|nachrichten|verpasst)\b/i,
    parts: [{ says: 'messages', from: 'notes' }],
  },
  {
    words: /\b(?:which|what) (?:documents|files)\b|\bwelche (?:dokumente|dateien)\b/i,
    parts: [
      { says: 'changedIntro' },
      { says: 'changedPlan', from: 'plan' },
      { says: 'changedBudget', from: 'budget' },
      { says: 'changedTravel', from: 'travel' },
    ],
  },
  { words: /\b(?:summar\w+|recap|catch me up|tl;?dr|zusammen\w*)\b/i, parts: [{ says: 'summary' }] },
  {
    words: /\b(?:code|script|function|sql|python|typescript|regex)\b/i,
    parts: [{ says: 'code', from: 'engineering' }],
  },
  {
    words: /\b(?:long (?:report|answer|text)|essay|report|in detail|bericht|ausführlich)\b/i,
    parts: [{ says: 'report', from: 'plan' }],
  },
  {
    words: /\b(?:compare|versus|vs|difference|pros|better|vergleich\w*|unterschied|besser)\b/i,
    parts: [{ says: 'comparison', from: 'vendors' }],
  },
  {
    words: /\b(?:list|steps?|checklist|how (?:do|can|to)|to-?dos?|liste|schritte?|wie kann)\b/i,
    parts: [{ says: 'steps', from: 'plan' }],
  },
  {
    words: /\b(?:travel|trips?|trains?|flights?|reise\w*|bahn|flüge?)\b/i,
    parts: [
      { says: 'travel', from: 'travel' },
      { says: 'travelMoney', from: 'budget' },
    ],
  },
  {
    words: /\b(?:budget|costs?|spend\w*|figures|money|kosten|ausgaben|zahlen|geld)\b/i,
    parts: [{ says: 'budget', from: 'budget' }],
    otherwise: [{ says: 'noFigures', from: 'plan' }],
  },
  {
    words: /\b(?:meetings?|agenda|calendar|appointments?|on today|kalender|termine?|besprechung|steht heute)\b/i,
    parts: [{ says: 'calendar', from: 'calendar' }],
  },
  {
    words: /\b(?:vacation|holidays?|leave|days? off|sick|urlaub\w*|frei)\b/i,
    parts: [{ says: 'vacation', from: 'handbook' }],
  },
  { words: /\b(?:draft|e-?mail|write|reply to|announce\w*|entw[ui]rf\w*|schreib\w*)\b/i, parts: [{ says: 'draft' }] },
  { words: /\b(?:what time|time is it|o.clock|time zones?|uhr|wie spät)\b/i, parts: [{ says: 'time' }] },
  {
    words: /\bwho(?: (?:owns|is|leads)\b|\W*$)|\b(?:owns?|owner|responsible|verantwortlich|zuständig|gehört)\b/i,
    parts: [{ says: 'owner', from: 'plan' }],
  },
  {
    words: /\b(?:launch|deadline|release)/i,
    parts: [
      { says: 'launchDate', from: 'plan' },
      { says: 'launchMoney', from: 'budget' },
      { says: 'launchElsewhere', from: 'web' },
    ],
  },
  {
    words: /\b(?:what.s new|is new|news|latest|changed|neues?|geändert)\b/i,
    parts: [
      { says: 'newsIntro' },
      { says: 'newsPlan', from: 'plan' },
      { says: 'newsBudget', from: 'budget' },
      { says: 'newsCalendar', from: 'calendar' },
    ],
  },
  {
    words:
      /\b(?:today|tomorrow|yesterday|day after|weekend|(?:this|next|last) (?:week|month)|what day|heute|morgen|tag danach|wochenende|welcher tag)\b|übermorgen|\bthe date\W*$/i,
    parts: [{ says: 'dates' }],
  },
  {
    words:
      /^(?:hi|hello|hey|thanks?|thank you|help|hallo|guten|danke|hilfe)\b|\b(?:what can you|was kannst|was können)\b/i,
    parts: [{ says: 'abilities' }],
  },
];

export const UNKNOWN: Topic = { words: /(?:)/, parts: [{ says: 'unknown' }] };
