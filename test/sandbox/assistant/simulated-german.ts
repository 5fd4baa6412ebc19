// What the simulated assistant says, in German.
import type { DateTime } from 'luxon';
import type { Answers } from './simulated-english.ts';
import { drawBudget, drawTable, readBudget, toAmount, toLaunch, toWorkday } from './simulated-ground.ts';

export const GERMAN: Answers = {
  cannotAct: () =>
    'Das kann ich nicht: Ich lese nur und antworte. Ich kann den Text entwerfen oder die Schritte aufzählen, den Rest machen Sie.',
  abilities: ({ readable }) =>
    `Fragen Sie mich nach dem Launch, seinem Budget, Ihrem Kalender, nach Reisen oder Urlaub, nach ${toList(readable, 'disjunction')} oder danach, was in einem Thread gesagt wurde. Ich schreibe auch Entwürfe, Listen, Vergleiche, etwas Code und lange Berichte.`,
  unknown: ({ words }) =>
    `Das weiß ich nicht: Zu „${words.replace(/[?!.\s]+$/, '').slice(0, 200)}“ habe ich nichts gefunden, worauf Sie Zugriff haben. Fragen Sie mich nach dem Launch, seinem Budget, Ihrem Kalender, nach Reisen oder Urlaub.`,

  newsIntro: () => 'Seit letzter Woche:',
  newsPlan: (ground) => `- Der Launch ist bestätigt: ${toDay(toLaunch(ground))}.`,
  newsBudget: (ground) => {
    const { left, planned } = readBudget(ground, 'travel');
    return `- Das Geld für Reisen ist fast verbraucht: Von ${planned} bleiben ${left}.`;
  },
  newsCalendar: ({ now }) => `- Das Team trifft sich wieder am ${toDay(toWorkday(now))}, um 10:00.`,

  launchDate: (ground) =>
    `Der Launch ist für **${toDay(toLaunch(ground))}** geplant. Eine Woche davor ist die Generalprobe, und zwei Tage danach fällt die Entscheidung. Verantwortlich ist Ben Brandt.`,
  launchMoney: (ground) => {
    const { left, planned } = readBudget(ground);
    return `Von seinem Budget von ${planned} bleiben **${left}**; das Geld für Reisen ist fast verbraucht.`;
  },
  launchElsewhere: () => 'Zwei Fachzeitschriften erwarten in dieser Saison ähnliche Produkte.',
  owner: () => 'Für den Launch ist **Ben Brandt** verantwortlich, Kim Kato vertritt ihn.',

  budget: (ground) => {
    const items = { people: 'Personal', travel: 'Reisen', tools: 'Werkzeuge' };
    return `${drawBudget(ground, ['Posten', 'Geplant', 'Ausgegeben', 'Übrig'], items)}\n\nDas Geld für Reisen ist fast verbraucht; alles andere verläuft nach Plan.`;
  },
  noFigures: () =>
    'Dort, wo Sie Zugriff haben, habe ich keine Zahlen gefunden. Laut dem Launch-Plan führt Kim Kato das Budget: Fragen Sie sie.',
  travel: (ground) =>
    `Reisen bis ${toAmount(ground, 800)} brauchen keine Genehmigung; darüber fragen Sie zuerst Ihre Führungskraft. Die Bahn geht vor, wenn sie weniger als sechs Stunden braucht.`,
  travelMoney: (ground) => `Im Budget des Launchs bleiben ${readBudget(ground, 'travel').left} für Reisen.`,

  calendar: ({ now, words }) =>
    `Am ${toDay(/heute/i.test(words) && !now.isWeekend ? now : toWorkday(now))} haben Sie:\n\n- 10:00, Teambesprechung: Bringen Sie mit, was sich seit letzter Woche geändert hat, und offene Risiken\n- 14:30, Launch-Termin mit Ben Brandt: Lesen Sie vorher den Launch-Plan`,
  messages: () =>
    '- Kim Kato bittet bis Mittwoch um Ihre Folien.\n- Ben Brandt hat die Generalprobe auf den Vormittag gelegt.\n- Zwei Personen fragen, wer am ersten Tag ans Telefon geht.',
  changedIntro: () => 'Diese Woche hat Ihr Team geändert:',
  changedPlan: () => '- *Launch plan.docx*: Die Generalprobe ist jetzt am Vormittag.',
  changedBudget: () => '- *Launch budget.xlsx*: Die Reisen der letzten zwei Wochen stehen darin.',
  changedTravel: () => '- *Travel policy.pdf*: Bis sechs Stunden geht die Bahn vor.',
  vacation: () =>
    'Sie haben 30 Tage im Jahr. Fragen Sie zwei Wochen vorher Ihre Führungskraft; bis zu fünf Tage gelten noch im nächsten Jahr.',
  dates: ({ now, words }) => {
    if (/übermorgen|tag danach/i.test(words)) return `Übermorgen ist ${toDay(now.plus({ days: 2 }))}.`;
    return `Heute ist ${toDay(now)}, morgen also ${toDay(now.plus({ days: 1 }))}. Diese Woche endet am ${toDay(now.endOf('week'))}.`;
  },
  time: ({ now }) => `Bei Ihnen ist es ${now.toFormat('HH:mm')} Uhr, ${now.toFormat('cccc')} (${now.zoneName}).`,

  steps: ({ now }) =>
    `1. Den Umfang festlegen (bis ${now.plus({ days: 2 }).toFormat('cccc')}).\n2. Für jeden Teil jemanden benennen.\n3. Mit fünf Personen testen.\n4. Alle informieren, dann starten.`,
  comparison: (ground) =>
    `${drawTable(
      ['', 'Angebot A', 'Angebot B'],
      [
        ['Preis im Jahr', toAmount(ground, 4800), toAmount(ground, 7200)],
        ['Einrichtung', '6 Wochen', '2 Wochen'],
        ['Hilfe', 'zu Bürozeiten', 'Tag und Nacht'],
      ],
    )}\n\nB kostet mehr und macht weniger Arbeit.`,
  code: () =>
    'So werden Bestellungen nach Tagen gruppiert:\n\n```ts\nconst byDay = Map.groupBy(orders, ({ paidAt }) => paidAt.slice(0, 10));\n```\n\nDas braucht Node 21 oder neuer.',
  draft: ({ name }) =>
    `Hier ist ein Entwurf:\n\n> Hallo zusammen,\n> die neue Version kann ausprobiert werden. Bitte sagt uns bis Freitag, was fehlt.\n> ${name}`,
  summary: ({ quotes }) =>
    quotes.length === 0
      ? 'Hier gibt es nichts zusammenzufassen: Fragen Sie in einem Thread, oder teilen Sie eine Datei.'
      : ['Kurz gesagt:', '', ...quotes.map(({ text }) => `- „${text.slice(0, 120)}“`)].join('\n'),
  report: (ground) => `## Wo wir stehen

Der Launch ist für ${toDay(toLaunch(ground))} geplant, elf von vierzehn Schritten sind erledigt. Die Webseite, die Schulung und die Texte sind fertig.

## Was sich geändert hat

- Die Generalprobe ist jetzt am Vormittag, damit auch Tokio dabei sein kann.
- Der zweite Lieferant liefert zwei Wochen früher als vereinbart.

## Offene Risiken

1. Am ersten Tag geht noch niemand ans Telefon.
2. Der Preis fehlt auf der Webseite, weil er noch nicht genehmigt ist.

## Wer dabei ist

Ben Brandt ist verantwortlich, Kim Kato vertritt ihn. Fünf Personen testen ab ${toDay(toWorkday(ground.now))}, jede einen halben Tag.

## Nächste Schritte

Den Preis klären, zwei Personen für das Telefon benennen und noch einmal proben. Das Team sieht sich die Liste jeden Morgen um 10:00 an.`,

  says: (name) => `In ${toTitle(name)} steht:`,
  closed: (name) => `${toTitle(name)} kann ich mit Ihrem Zugriff nicht öffnen.`,
  notKnown: (name, readable) =>
    `${toTitle(name)} kenne ich nicht, also kann ich nicht sagen, was darin steht. Lesen kann ich ${toList(readable, 'conjunction')}.`,
  contents: {
    plan: (ground) => [
      `Der Launch ist am ${toDay(toLaunch(ground))}, eine Woche davor ist die Generalprobe.`,
      'Verantwortlich ist Ben Brandt. Kim Kato vertritt ihn und führt das Budget.',
      'Noch offen: der Preis auf der Webseite, und wer am ersten Tag ans Telefon geht.',
    ],
    budget: (ground) => {
      const names = { people: 'Personal', travel: 'Reisen', tools: 'Werkzeuge' };
      return (['people', 'travel', 'tools'] as const).map((item) => {
        const { planned, spent, left } = readBudget(ground, item);
        return `${names[item]}: ${planned} geplant, ${spent} ausgegeben, ${left} übrig.`;
      });
    },
    travel: (ground) => [
      `Reisen bis ${toAmount(ground, 800)} brauchen keine Genehmigung; darüber fragen Sie zuerst Ihre Führungskraft.`,
      'Die Bahn geht vor, wenn sie weniger als sechs Stunden braucht.',
      'Belege reichen Sie innerhalb von 30 Tagen ein.',
    ],
  },
};

function toDay(day: DateTime): string {
  return day.toFormat('cccc, d. LLLL yyyy');
}

function toTitle(name: string): string {
  return `*${name}*`;
}

function toList(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('de', { type }).format(names.map(toTitle));
}
