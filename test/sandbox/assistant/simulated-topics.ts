// What the simulated assistant can talk about. The figures are made up; dates are of the asker's own time zone.
import type { DateTime } from 'luxon';

/** What an answer may rest on besides the question. */
export type Ground = {
  /** Now, in the asker's time zone. */
  readonly now: DateTime;
  readonly name: string;
  /** The question without what was quoted around it. */
  readonly words: string;
  readonly fileNames: readonly string[];
  /** What people wrote in the thread, oldest first. */
  readonly quotes: readonly string[];
};

/** A kind of question, found by its words. `source`: what the answer cites; without it nothing is cited. */
export type Topic = {
  readonly words: RegExp;
  readonly source?: string;
  readonly answer: (ground: Ground) => string;
};

const DAY = 'cccc, d LLLL yyyy';

/** The first one that fits answers. */
export const TOPICS: readonly Topic[] = [
  {
    words: /^(please )?(send|book|schedule|create|delete|order|invite)\b/i,
    answer: () =>
      'I cannot do that: I only read and answer. I can draft the text, or list the steps, and you do the rest.',
  },
  { words: /\b(summar\w+|recap|catch me up|tl;?dr)\b/i, answer: summarise },
  {
    words: /\b(budget|costs?|spend\w*|figures|credits)\b/i,
    source: 'Budget 2026',
    answer: () =>
      table(['Item', 'Planned', 'Spent', 'Left'], BUDGET) +
      '\n\nTravel is close to its limit; everything else is on plan.',
  },
  {
    words: /\b(code|script|function|sql|python|typescript|regex)\b/i,
    source: 'Engineering handbook',
    answer: () =>
      'This groups orders by their day:\n\n```ts\nconst byDay = Map.groupBy(orders, ({ paidAt }) => paidAt.slice(0, 10));\n```\n\nIt needs Node 21 or newer.',
  },
  { words: /\b(long|detail\w*|essay|report|everything)\b/i, source: 'Launch plan', answer: writeAtLength },
  {
    words: /\b(compare|versus|vs|difference|pros|better)\b/i,
    source: 'Vendor review',
    answer: () => `${table(['', 'Option A', 'Option B'], OPTIONS)}\n\nB costs more and needs less care.`,
  },
  {
    words: /\b(list|steps?|checklist|how (do|can|to)|to-?dos?)\b/i,
    source: 'Launch plan',
    answer: ({ now }) =>
      `1. Agree on the scope (by ${now.plus({ days: 2 }).toFormat('cccc')}).\n2. Name an owner for each part.\n3. Test with five people.\n4. Tell everybody, then go live.`,
  },
  {
    words: /\b(meeting|agenda|calendar|appointments?|on today)\b/i,
    source: 'Team calendar',
    answer: ({ now }) =>
      `The next team meeting is on ${toWorkday(now).toFormat('cccc, d LLLL')} at 10:00. On its agenda:\n\n- what changed since last week\n- open risks\n- who needs help`,
  },
  {
    words: /\b(vacation|holidays?|leave|days? off|sick)\b/i,
    source: 'People handbook',
    answer: () => 'You have 30 days a year. Ask your manager two weeks ahead; up to five days move into the next year.',
  },
  {
    words: /\b(draft|e-?mail|write|reply to|announce\w*)\b/i,
    answer: ({ name }) =>
      `Here is a draft:\n\n> Hello everybody,\n> the new version is ready to try. Please tell us by Friday what is missing.\n> ${name}`,
  },
  {
    words: /\b(what time|time is it|o.clock|time zones?)\b/i,
    answer: ({ now }) => `It is ${now.toFormat('HH:mm')} on ${now.toFormat('cccc')} where you are (${now.zoneName}).`,
  },
  {
    words: /\b(today|tomorrow|yesterday|weekend|(this|next|last) (week|month)|what day)\b|\bthe date\W*$/i,
    answer: tellDates,
  },
  {
    words: /\bwho( (owns|is|leads)\b|\W*$)|\b(owns?|owner|responsible|contact)\b/i,
    source: 'Launch plan',
    answer: () => '**Ben Brandt** owns it, and Kim Kato stands in for him.',
  },
  {
    words: /\b(launch|deadline|release)\b/i,
    source: 'Launch plan',
    answer: ({ now }) =>
      `The launch is planned for ${toWorkday(now.plus({ weeks: 3 })).toFormat(DAY)}. The dress rehearsal is a week before it, and the go or no-go two days after that.`,
  },
  {
    words: /^(hi|hello|hey|thanks?|thank you|help)\b|\bwhat can you\b/i,
    answer: () =>
      'Ask me about dates, the budget, files you link, what was said in a thread, or for a list, a draft, a comparison, some code or a long report.',
  },
];

/** For all other questions. */
export const OTHER_TOPIC: Required<Pick<Topic, 'source' | 'answer'>> = {
  source: 'Team notes',
  answer: ({ now, words }) =>
    `Here is what I found about **${words.replace(/[?!.\s]+$/, '').slice(0, 200)}**:\n\n- The team notes name Ben Brandt as its owner.\n- The next step is due on ${toWorkday(now).toFormat('cccc, d LLLL')}.\n- Nothing in the notes speaks against it.`,
};

const BUDGET = [
  ['People', '120,000', '81,400', '38,600'],
  ['Travel', '15,000', '14,100', '900'],
  ['Tools', '22,000', '9,750', '12,250'],
];

const OPTIONS = [
  ['Price a year', '4,800', '7,200'],
  ['Set-up', '6 weeks', '2 weeks'],
  ['Support', 'office hours', 'day and night'],
];

function table(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function tellDates({ now }: Ground): string {
  const tomorrow = now.plus({ days: 1 });
  const sunday = now.endOf('week');
  return `Today is ${now.toFormat(DAY)}, so tomorrow is ${tomorrow.toFormat('cccc')} the ${toOrdinal(tomorrow.day)}. This week ends on Sunday the ${toOrdinal(sunday.day)}.`;
}

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function toOrdinal(day: number): string {
  return `${day}${ENDINGS[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)] ?? 'th'}`;
}

function toWorkday(now: DateTime): DateTime {
  const next = now.plus({ days: 1 });
  return next.isWeekend ? next.startOf('week').plus({ weeks: 1 }) : next;
}

function summarise({ quotes, fileNames }: Ground): string {
  if (quotes.length === 0 && fileNames.length === 0) {
    return 'There is nothing here that I could sum up: ask in a thread, or link a file.';
  }
  return [
    'In short:',
    '',
    ...quotes.map((quote) => `- “${quote.slice(0, 120)}”`),
    ...fileNames.map((name) => `- the file *${name}*`),
  ].join('\n');
}

const CHAPTERS = ['Where we are', 'What changed', 'Open risks', 'People', 'Money', 'Next steps'];

function writeAtLength({ now }: Ground): string {
  const chapters = CHAPTERS.map((title, index) => {
    const due = now.plus({ weeks: index + 1 }).toFormat('d LLLL');
    return `## ${title}\n\nThe notes say three things about this part. The plan of ${now.toFormat('LLLL')} still holds, with the changes that were agreed in the last meeting. Two questions are open; both have an owner. The team looks at it again on ${due}.\n\n- Done: ${4 + index} of ${9 + index} points\n- Decided by: Ben Brandt\n- Looked at again: ${due}`;
  });
  return chapters.join('\n\n');
}
