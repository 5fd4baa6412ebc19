/** Slack's own file hosts: https://docs.slack.dev/reference/objects/file-object */
const FILE_HOSTS = new Set(['https://files.slack.com', 'https://files.slack-gov.com']);

/** Whether an address is at a file host of Slack, or at the origin of SLACK_API_URL: no other host gets tokens or files. */
export function isFileHost(url: string, apiUrl: string): boolean {
  const { origin = '' } = URL.parse(url) ?? {};
  return FILE_HOSTS.has(origin) || origin === new URL(apiUrl).origin;
}
