// What the organisation of the demo has, and who may read it: an answer draws on nothing else. All of it is made up.
type SimulatedDocument = {
  readonly name: string;
  readonly url: string;
  /** The accounts that may read it; without them everybody. */
  readonly readers?: readonly string[];
  /** People can share it as a file. */
  readonly isFile?: boolean;
};

const SITES = 'https://acme.sharepoint.example/sites';

export const DOCUMENTS = {
  plan: { name: 'Launch plan.docx', url: `${SITES}/launch/Launch%20plan.docx`, isFile: true },
  budget: {
    name: 'Launch budget.xlsx',
    url: `${SITES}/finance/Launch%20budget.xlsx`,
    readers: ['ana', 'kim'],
    isFile: true,
  },
  travel: { name: 'Travel policy.pdf', url: `${SITES}/people/Travel%20policy.pdf`, isFile: true },
  handbook: { name: 'People handbook', url: `${SITES}/people/handbook` },
  calendar: { name: 'Team calendar', url: `${SITES}/team/calendar` },
  notes: { name: 'Team notes', url: `${SITES}/team/notes` },
  vendors: { name: 'Vendor review', url: `${SITES}/purchasing/vendor-review` },
  engineering: { name: 'Engineering handbook', url: `${SITES}/engineering/handbook` },
} as const satisfies Record<string, SimulatedDocument>;

export type DocumentId = keyof typeof DOCUMENTS;

/** `account`: whose token came, or undefined for somebody without one. */
export function mayRead(account: string | undefined, id: DocumentId): boolean {
  const { readers }: SimulatedDocument = DOCUMENTS[id];
  return readers === undefined || (account !== undefined && readers.includes(account));
}

/** The files that somebody sees in the organisation's library. */
export function listFiles(account: string | undefined): { id: DocumentId; name: string; url: string }[] {
  return Object.entries<SimulatedDocument>(DOCUMENTS)
    .map(([id, { name, url, isFile }]) => ({ id: id as DocumentId, name, url, isFile }))
    .filter(({ id, isFile }) => isFile && mayRead(account, id))
    .map(({ id, name, url }) => ({ id, name, url }));
}
