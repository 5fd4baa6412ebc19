// What the simulated assistant says, in English. German has the same entries: the type checker compares them.
import type { DateTime } from 'luxon';
import { drawBudget, drawTable, type Ground, readBudget, toAmount, toLaunch, toWorkday } from './simulated-ground.ts';

/** The parts of answers, by what they are about. */
export const ENGLISH = {
  cannotAct: () =>
    'I cannot do that: I only read and answer. I can draft the text, or list the steps, and you do the rest.',
  abilities: ({ readable }: Ground) =>
    `Ask me about the launch, its budget, your calendar, trips or days off, about ${toList(readable, 'disjunction')}, or about what was said in a thread. I also write drafts, lists, comparisons, some code and long reports.`,
  unknown: ({ words }: Ground) =>
    `I do not know: I found nothing about “${words.replace(/[?!.\s]+$/, '').slice(0, 200)}” in what you have access to. Ask me about the launch, its budget, your calendar, trips or days off.`,

  newsIntro: () => 'Since last week:',
  newsPlan: (ground: Ground) => `- The launch is confirmed for ${toDay(toLaunch(ground))}.`,
  newsBudget: (ground: Ground) => {
    const { left, planned } = readBudget(ground, 'travel');
    return `- Travel is almost used up: ${left} are left of ${planned}.`;
  },
  newsCalendar: ({ now }: Ground) => `- The team meets next on ${toDay(toWorkday(now))}, at 10:00.`,

  launchDate: (ground: Ground) =>
    `The launch is planned for **${toDay(toLaunch(ground))}**. The dress rehearsal is a week before it, and the go or no-go two days after that. Ben Brandt owns it.`,
  launchMoney: (ground: Ground) => {
    const { left, planned } = readBudget(ground);
    return `Of its budget of ${planned}, **${left} are left**; travel is close to its limit.`;
  },
  launchElsewhere: () => 'Two trade journals expect similar products this season.',
  owner: () => '**Ben Brandt** owns the launch, and Kim Kato stands in for him.',

  budget: (ground: Ground) => {
    const items = { people: 'People', travel: 'Travel', tools: 'Tools' };
    return `${drawBudget(ground, ['Item', 'Planned', 'Spent', 'Left'], items)}\n\nTravel is close to its limit; everything else is on plan.`;
  },
  noFigures: () =>
    'I found no figures in what you have access to. The launch plan says that Kim Kato keeps the budget: ask her.',
  travel: (ground: Ground) =>
    `Trips of up to ${toAmount(ground, 800)} need no approval; beyond that, ask your manager first. Trains come before flights where they take less than six hours.`,
  travelMoney: (ground: Ground) =>
    `In the budget of the launch, ${readBudget(ground, 'travel').left} are left for travel.`,

  calendar: ({ now, words }: Ground) =>
    `On ${toDay(/today/i.test(words) && !now.isWeekend ? now : toWorkday(now))} you have:\n\n- 10:00, team meeting: bring what changed since last week, and open risks\n- 14:30, launch check with the team: read the launch plan before it`,
  messages: () =>
    '- Kim Kato asks for your slides by Wednesday.\n- Ben Brandt has moved the dress rehearsal to the morning.\n- Two people ask who answers the telephone on the first day.',
  changedIntro: () => 'This week your team has changed:',
  changedPlan: () => '- *Launch plan.docx*: the dress rehearsal is in the morning now.',
  changedBudget: () => '- *Launch budget.xlsx*: the trips of the last two weeks are in it.',
  changedTravel: () => '- *Travel policy.pdf*: trains come before flights up to six hours.',
  vacation: () => 'You have 30 days a year. Ask your manager two weeks ahead; up to five days move into the next year.',
  dates: ({ now, words }: Ground) => {
    if (/day after/i.test(words)) return `The day after tomorrow is ${toDay(now.plus({ days: 2 }))}.`;
    return `Today is ${toDay(now)}, so tomorrow is ${toDay(now.plus({ days: 1 }))}. This week ends on ${toDay(now.endOf('week'))}.`;
  },
  time: ({ now }: Ground) =>
    `It is ${now.toFormat('HH:mm')} on ${now.toFormat('cccc')} where you are (${now.zoneName}).`,

  steps: ({ now }: Ground) =>
    `1. Agree on the scope (by ${now.plus({ days: 2 }).toFormat('cccc')}).\n2. Name an owner for each part.\n3. Test with five people.\n4. Tell everybody, then go live.`,
  comparison: (ground: Ground) =>
    `${drawTable(
      ['', 'Option A', 'Option B'],
      [
        ['Price a year', toAmount(ground, 4800), toAmount(ground, 7200)],
        ['Set-up', '6 weeks', '2 weeks'],
        ['Support', 'office hours', 'day and night'],
      ],
    )}\n\nB costs more and needs less care.`,
  code: () =>
    'This groups orders by their day:\n\n```ts\nconst byDay = Map.groupBy(orders, ({ paidAt }) => paidAt.slice(0, 10));\n```\n\nIt needs Node 21 or newer.',
  draft: ({ name }: Ground) =>
    `Here is a draft:\n\n> Hello everybody,\n> the new version is ready to try. Please tell us by Friday what is missing.\n> ${name}`,
  summary: ({ quotes }: Ground) =>
    quotes.length === 0
      ? 'There is nothing here that I could sum up: ask in a thread, or share a file.'
      : ['In short:', '', ...quotes.map(({ text }) => `- “${text.slice(0, 120)}”`)].join('\n'),
  report: (ground: Ground) => `## Where we are

The launch is planned for ${toDay(toLaunch(ground))}, and eleven of fourteen steps are done. The web page, the training and the texts are ready.

## What changed

- The dress rehearsal moved to the morning, so that the colleagues in Tokyo can take part.
- The second vendor delivers two weeks earlier than agreed.

## Open risks

1. Nobody answers the telephone on the first day yet.
2. The price is not on the web page, because its approval is missing.

## People

Ben Brandt owns the launch, and Kim Kato stands in for him. Five colleagues test from ${toDay(toWorkday(ground.now))} on, each for half a day.

## Next steps

Agree on the price, name two people for the telephone, and rehearse once more. The team looks at the list every morning at 10:00.`,

  says: (name: string) => `${toTitle(name)} says:`,
  closed: (name: string) => `I cannot open ${toTitle(name)} with your access.`,
  notKnown: (name: string, readable: readonly string[]) =>
    `I do not know ${toTitle(name)}, so I cannot say what is in it. What I can read is ${toList(readable, 'conjunction')}.`,
  contents: {
    plan: (ground: Ground) => [
      `The launch is on ${toDay(toLaunch(ground))}; the dress rehearsal is a week before it.`,
      'Ben Brandt owns it. Kim Kato stands in for him, and keeps the budget.',
      'Still open: the price on the web page, and who answers the telephone on the first day.',
    ],
    budget: (ground: Ground) =>
      (['people', 'travel', 'tools'] as const).map((item) => {
        const { planned, spent, left } = readBudget(ground, item);
        return `For ${item}: ${planned} planned, ${spent} spent, ${left} left.`;
      }),
    travel: (ground: Ground) => [
      `Trips of up to ${toAmount(ground, 800)} need no approval; beyond that, ask your manager first.`,
      'Trains come before flights where they take less than six hours.',
      'Hand your receipts in within 30 days.',
    ],
  },
};

export type Answers = typeof ENGLISH;

function toDay(day: DateTime): string {
  return day.toFormat('cccc, d LLLL yyyy');
}

function toTitle(name: string): string {
  return `*${name}*`;
}

function toList(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(names.map(toTitle));
}
