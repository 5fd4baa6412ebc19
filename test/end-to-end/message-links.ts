type Place = { channel: string; ts: string; threadTs?: string };

/** What *Copy link* in the menu of a message gives. */
export function linkTo({ channel, ts, threadTs }: Place): string {
  const link = `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
  return threadTs ? `${link}?thread_ts=${threadTs}&cid=${channel}` : link;
}
