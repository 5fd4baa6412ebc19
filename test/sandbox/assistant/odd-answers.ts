// What answers carry that is unlike the usual.
import type { Answer, Attribution } from './conversation.ts';

export const CONFIDENTIAL = {
  sensitivityLabelId: '6f2b0c1e-0000-4000-8000-000000000001',
  displayName: 'Confidential',
  tooltip: 'Content for employees only',
  priority: 5,
  color: '#FF8C00',
  isEncrypted: false,
};

/** The newer shape: attributions stay empty, and the text links to keys of the map. */
export const REFERENCED: Answer = {
  text: 'The budget is approved [1](https://files.example.com/sites/team/budget.xlsx#ref-b) [2](https://files.example.com/sites/team/notes.docx#ref-a).',
  attributions: [],
  references: {
    'ref-a': { targetLink: 'https://files.example.com/sites/team/notes.docx', isCitedInResponse: true },
    'ref-b': { targetLink: 'https://files.example.com/sites/team/budget.xlsx', isCitedInResponse: true },
    'ref-c': { targetLink: 'https://files.example.com/sites/team/unused.docx', isCitedInResponse: false },
  },
};

/** An annotation stands between the citations: markers count citations only. */
export const TWO_SOURCES: Answer = {
  text: 'Two sources agree.[^1^][^2^]',
  attributions: [
    cite('Minutes', 'https://files.example.com/sites/team/minutes.docx'),
    annotate('https://people.example.com/ben'),
    cite('Plan', 'https://files.example.com/sites/team/plan.docx'),
  ],
};

export const PERSON_TAGS: Answer = {
  text: 'Ask <Person>Ben Brandt</Person>; the plan is in <File>Plan.docx</File>.',
  attributions: [annotate('https://people.example.com/ben'), annotate('https://files.example.com/Plan.docx')],
};

export function cite(providerDisplayName: string, seeMoreWebUrl: string): Attribution {
  return { attributionType: 'citation', attributionSource: 'grounding', providerDisplayName, seeMoreWebUrl };
}

function annotate(seeMoreWebUrl: string): Attribution {
  return { attributionType: 'annotation', attributionSource: 'model', providerDisplayName: '', seeMoreWebUrl };
}
