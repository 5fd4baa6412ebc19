// What the simulated assistant can talk about, in which words, and which of its documents each part of an answer comes from.
import type { DocumentId } from './simulated-documents.ts';
import { drawTable, type Ground, ITEMS, readBudget, toDay, toLaunch, toWorkday } from './simulated-ground.ts';

export type AnswerPart = {
  readonly says: (ground: Ground) => string;
  /** Left out for people who may not read it, or where the web is off; without it the part rests on nothing. */
  readonly from?: DocumentId | 'web';
};

/** A kind of question, found by its words. */
export type Topic = {
  readonly words: RegExp;
  readonly parts: readonly AnswerPart[];
  /** Where none of the documents of `parts` is left. */
  readonly otherwise: readonly AnswerPart[];
};

function part(words: string | AnswerPart['says'], from?: AnswerPart['from']): AnswerPart {
  const says = typeof words === 'string' ? () => words : words;
  return from === undefined ? { says } : { says, from };
}

function topic(words: RegExp, parts: readonly AnswerPart[], otherwise: readonly AnswerPart[] = []): Topic {
  return { words, parts, otherwise };
}

/** What can be asked, at the end of a sentence. */
const SUBJECTS = 'the launch, its budget, your calendar, trips or days off';

/** The first one that fits answers. */
export const TOPICS: readonly Topic[] = [
  topic(/^(?:please )?(?:send|book|schedule|create|delete|order|invite)\b/i, [
    part('I cannot do that: I only read and answer. I can draft the text, or list the steps, and you do the rest.'),
  ]),
  topic(/\b(?:messages|did I miss)\b/i, [
    part(
      '- Kim Kato asks for your slides by Wednesday.\n- Ben Brandt has moved the dress rehearsal to the morning.\n- Two people ask who answers the telephone on the first day.',
      'notes',
    ),
  ]),
  topic(/\b(?:which|what) (?:documents|files)\b/i, [
    part('This week your team has changed:'),
    part('- *Launch plan.docx*: the dress rehearsal is in the morning now.', 'plan'),
    part('- *Launch budget.xlsx*: the trips of the last two weeks are in it.', 'budget'),
    part('- *Travel policy.pdf*: trains come before flights up to six hours.', 'travel'),
  ]),
  topic(/\b(?:summar\w+|recap|catch me up|tl;?dr)\b/i, [part(sumUp)]),
  topic(/\b(?:code|script|function|sql|python|typescript|regex)\b/i, [
    part(
      'This groups orders by their day:\n\n```ts\nconst byDay = Map.groupBy(orders, ({ paidAt }) => paidAt.slice(0, 10));\n```\n\nIt needs Node 21 or newer.',
      'engineering',
    ),
  ]),
  topic(/\b(?:long (?:report|answer|text)|essay|report|in detail)\b/i, [part(report, 'plan')]),
  topic(/\b(?:compare|versus|vs|difference|pros|better)\b/i, [
    part(
      () =>
        `${drawTable(
          ['', 'Option A', 'Option B'],
          [
            ['Price a year', '4,800', '7,200'],
            ['Set-up', '6 weeks', '2 weeks'],
            ['Support', 'office hours', 'day and night'],
          ],
        )}\n\nB costs more and needs less care.`,
      'vendors',
    ),
  ]),
  topic(/\b(?:list|steps?|checklist|how (?:do|can|to)|to-?dos?)\b/i, [
    part(
      ({ now }) =>
        `1. Agree on the scope (by ${now.plus({ days: 2 }).toFormat('cccc')}).\n2. Name an owner for each part.\n3. Test with five people.\n4. Tell everybody, then go live.`,
      'plan',
    ),
  ]),
  topic(/\b(?:travel|trips?|trains?|flights?)\b/i, [
    part(
      'Trips of up to 800 need no approval; beyond that, ask your manager first. Trains come before flights where they take less than six hours.',
      'travel',
    ),
    part(() => `In the budget of the launch, ${readBudget('travel').left} are left for travel.`, 'budget'),
  ]),
  topic(
    /\b(?:budget|costs?|spend\w*|figures|money)\b/i,
    [part(drawBudget, 'budget')],
    [
      part(
        'I found no figures in what you have access to. The launch plan says that Kim Kato keeps the budget: ask her.',
        'plan',
      ),
    ],
  ),
  topic(/\b(?:meetings?|agenda|calendar|appointments?|on today)\b/i, [
    part(
      ({ now, words }) =>
        `On ${toDay(/today/i.test(words) && !now.isWeekend ? now : toWorkday(now))} you have:\n\n- 10:00, team meeting: bring what changed since last week, and open risks\n- 14:30, launch check with the team: read the launch plan before it`,
      'calendar',
    ),
  ]),
  topic(/\b(?:vacation|holidays?|leave|days? off|sick)\b/i, [
    part(
      'You have 30 days a year. Ask your manager two weeks ahead; up to five days move into the next year.',
      'handbook',
    ),
  ]),
  topic(/\b(?:draft|e-?mail|write|reply to|announce\w*)\b/i, [
    part(
      ({ name }) =>
        `Here is a draft:\n\n> Hello everybody,\n> the new version is ready to try. Please tell us by Friday what is missing.\n> ${name}`,
    ),
  ]),
  topic(/\b(?:what time|time is it|o.clock|time zones?)\b/i, [
    part(({ now }) => `It is ${now.toFormat('HH:mm')} on ${now.toFormat('cccc')} where you are (${now.zoneName}).`),
  ]),
  topic(/\bwho(?: (?:owns|is|leads)\b|\W*$)|\b(?:owns?|owner|responsible)\b/i, [
    part('**Ben Brandt** owns the launch, and Kim Kato stands in for him.', 'plan'),
  ]),
  topic(/\b(?:launch|deadline|release)/i, [
    part(
      (ground) =>
        `The launch is planned for **${toLaunch(ground)}**. The dress rehearsal is a week before it, and the go or no-go two days after that. Ben Brandt owns it.`,
      'plan',
    ),
    part(
      () =>
        `Of its budget of ${readBudget().planned}, **${readBudget().left} are left**; travel is close to its limit.`,
      'budget',
    ),
    part('Two trade journals expect similar products this season.', 'web'),
  ]),
  topic(/\b(?:what.s new|is new|news|latest|changed)\b/i, [
    part('Since last week:'),
    part((ground) => `- The launch is confirmed for ${toLaunch(ground)}.`, 'plan'),
    part(
      () => `- Travel is almost used up: ${readBudget('travel').left} are left of ${readBudget('travel').planned}.`,
      'budget',
    ),
    part(({ now }) => `- The team meets next on ${toDay(toWorkday(now))}, at 10:00.`, 'calendar'),
  ]),
  topic(
    /\b(?:today|tomorrow|yesterday|day after|weekend|(?:this|next|last) (?:week|month)|what day)\b|\bthe date\W*$/i,
    [part(tellDates)],
  ),
  topic(/^(?:hi|hello|hey|thanks?|thank you|help)\b|\bwhat can you\b/i, [
    part(
      ({ readable }) =>
        `Ask me about ${SUBJECTS}, about ${toList(readable, 'disjunction')}, or about what was said in a thread. I also write drafts, lists, comparisons, some code and long reports.`,
    ),
  ]),
];

export const UNKNOWN: Topic = topic(/(?:)/, [
  part(
    ({ words }) =>
      `I do not know: I found nothing about “${words.replace(/[?!.\s]+$/, '').slice(0, 200)}” in what you have access to. Ask me about ${SUBJECTS}.`,
  ),
]);

export function toList(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(names.map((name) => `*${name}*`));
}

function drawBudget(): string {
  const rows = ITEMS.map((item) => [
    item.replace(/^./, (first) => first.toUpperCase()),
    ...Object.values(readBudget(item)),
  ]);
  return `${drawTable(['Item', 'Planned', 'Spent', 'Left'], rows)}\n\nTravel is close to its limit; everything else is on plan.`;
}

function tellDates({ now, words }: Ground): string {
  if (/day after/i.test(words)) return `The day after tomorrow is ${toDay(now.plus({ days: 2 }))}.`;
  return `Today is ${toDay(now)}, so tomorrow is ${toDay(now.plus({ days: 1 }))}. This week ends on ${toDay(now.endOf('week'))}.`;
}

function sumUp({ quotes }: Ground): string {
  if (quotes.length === 0) return 'There is nothing here that I could sum up: ask in a thread, or share a file.';
  return ['In short:', '', ...quotes.map(({ text }) => `- “${text.slice(0, 120)}”`)].join('\n');
}

function report(ground: Ground): string {
  return `## Where we are

The launch is planned for ${toLaunch(ground)}, and eleven of fourteen steps are done. The web page, the training and the texts are ready.

## What changed

- The dress rehearsal moved to the morning, so that the colleagues in Tokyo can take part.
- The second vendor delivers two weeks earlier than agreed.

## Open risks

1. Nobody answers the telephone on the first day yet.
2. The price is not on the web page, because its approval is missing.

## People

Ben Brandt owns the launch, and Kim Kato stands in for him. Five colleagues test from ${toDay(toWorkday(ground.now))} on, each for half a day.

## Next steps

Agree on the price, name two people for the telephone, and rehearse once more. The team looks at the list every morning at 10:00.`;
}
