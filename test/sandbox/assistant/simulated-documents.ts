// What the organisation of the demo has, and who may read it: an answer draws on nothing else.
import { type Ground, ITEMS, readBudget, toLaunch } from './simulated-ground.ts';

type SimulatedDocument = {
  readonly name: string;
  readonly url: string;
  /** The accounts that may read it; without them everybody. */
  readonly readers?: readonly string[];
  /** Its content, of a file, which people can share. */
  readonly says?: (ground: Ground) => string[];
};

const SITES = 'https://acme.sharepoint.example/sites';

export const DOCUMENTS = {
  plan: {
    name: 'Launch plan.docx',
    url: `${SITES}/launch/Launch%20plan.docx`,
    says: (ground) => [
      `The launch is on ${toLaunch(ground)}; the dress rehearsal is a week before it.`,
      'Ben Brandt owns it. Kim Kato stands in for him, and keeps the budget.',
      'Still open: the price on the web page, and who answers the telephone on the first day.',
    ],
  },
  budget: {
    name: 'Launch budget.xlsx',
    url: `${SITES}/finance/Launch%20budget.xlsx`,
    readers: ['ana', 'kim'],
    says: () =>
      ITEMS.map((item) => {
        const { planned, spent, left } = readBudget(item);
        return `For ${item}: ${planned} planned, ${spent} spent, ${left} left.`;
      }),
  },
  travel: {
    name: 'Travel policy.pdf',
    url: `${SITES}/people/Travel%20policy.pdf`,
    says: () => [
      'Trips of up to 800 need no approval; beyond that, ask your manager first.',
      'Trains come before flights where they take less than six hours.',
      'Hand your receipts in within 30 days.',
    ],
  },
  handbook: { name: 'People handbook', url: `${SITES}/people/handbook` },
  calendar: { name: 'Team calendar', url: `${SITES}/team/calendar` },
  notes: { name: 'Team notes', url: `${SITES}/team/notes` },
  vendors: { name: 'Vendor review', url: `${SITES}/purchasing/vendor-review` },
  engineering: { name: 'Engineering handbook', url: `${SITES}/engineering/handbook` },
} as const satisfies Record<string, SimulatedDocument>;

export type DocumentId = keyof typeof DOCUMENTS;

/** `account`: whose token came, or undefined for somebody without one. */
export function mayRead(account: string | undefined, { readers }: SimulatedDocument): boolean {
  return readers === undefined || (account !== undefined && readers.includes(account));
}

/** The one at this address. */
export function findDocument(url: string): SimulatedDocument | undefined {
  return Object.values<SimulatedDocument>(DOCUMENTS).find((one) => one.url === new URL(url).href);
}

/** The files that somebody sees in the organisation's library. */
export function listFiles(account: string | undefined): { name: string; url: string }[] {
  return Object.values<SimulatedDocument>(DOCUMENTS)
    .filter((document) => document.says && mayRead(account, document))
    .map(({ name, url }) => ({ name, url }));
}
