/** Files that people can share in the workspace: kept in the organisation's own library, as ASSISTANT_FILE_HOSTS names it. */
export const ORGANISATION_FILES = [
  { name: 'Launch plan.docx', url: 'https://acme.sharepoint.example/sites/launch/Launch%20plan.docx' },
  { name: 'Travel policy.pdf', url: 'https://acme.sharepoint.example/sites/people/Travel%20policy.pdf' },
  { name: 'Budget by quarter.xlsx', url: 'https://acme.sharepoint.example/sites/finance/Budget%20by%20quarter.xlsx' },
];
