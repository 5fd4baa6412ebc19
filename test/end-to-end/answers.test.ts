import type { Answer } from '@assistant-bridge/sandbox/assistant/conversation.ts';
import { measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { toAskedWords } from './steps.ts';

let nextAnswer: string | Answer | undefined;
const world = shareLiveWorld({
  assistant: { answer: ({ text }) => nextAnswer ?? `answer to ${toAskedWords(text)}` },
});
beforeEach(() => {
  nextAnswer = undefined;
});

const ana = () => world.slack.as('U0ANA');

describe('an answer', () => {
  it('mentions nobody and forges no link', async () => {
    nextAnswer =
      'Hello <!channel> <!here> <@U0BEN> <#C0FINANCE>, see <https://evil.example|https://bank.example> or ' +
      '[https://bank.example](https://evil.example) or [x](javascript:alert(1)) @here @channel';
    const before = world.slack.workspace.notifications.length;

    const { answer } = await world.askAndWait('who is it?');

    expect(world.slack.workspace.notifications.slice(before).filter(({ ts }) => ts === answer.ts)).toEqual([]);
    for (const { url } of world.slack.links(answer)) expect(url).toMatch(/^https?:/);
    const links = [...markdownOf(answer).matchAll(/\[([^\]]*)\]\(([^)]*)\)(.{0,20})/g)];
    expect(links).toHaveLength(1);
    for (const [, label, url = '', following] of links) expect(`${label}${following}`).toContain(new URL(url).host);
  });

  it('and everything else we post never unfurls', async () => {
    nextAnswer = 'See https://evil.example/tracker.png and [this](https://evil.example).';

    await world.askAndWait('what is to be seen?');

    const posts = world.slack.ledger.calls('chat.postMessage').map((call) => call.arguments);
    expect(posts).toEqual([expect.objectContaining({ unfurl_links: false, unfurl_media: false })]);
  });
});

describe('a service that fails', () => {
  it('is asked once; the person is told in plain words, and is answered by the button', async () => {
    world.assistant.faults.next('504-html');
    const { question, answer: notice, text: told } = await world.askAndWait('second time lucky');
    const chats = world.assistant.ledger.chats().length;

    await ana().click(notice, 'Ask again');
    const replies = await world.waitForReplies(question, 2);

    expect(chats).toBe(1);
    expect(told).toContain('It may have counted as a question');
    expect(told).not.toMatch(/50[024]|html|UnknownError|upstream|ECONN/i);
    expect(replies[1]).toContain('answer to second time lucky');
  });

  it.each([
    ['403-licence', 'whoever assigns licences', true],
    ['403-scopes', 'administrators who approve apps', false],
    ['403-consent', 'administrators who approve apps', false],
    ['403-credits', 'credits for it are used up', false],
    ['402', 'credits for it are used up', false],
    ['429-quota', 'credits for it are used up', false],
    ['403-policy', 'which policy it is', false],
  ] as const)('that refuses with %s says whom to ask: %s', async (fault, words, isExplained) => {
    world.assistant.faults.next(fault);

    const { text } = await world.askAndWait('may I?');

    expect(text).toContain(words);
    expect(text.includes('The assistant said:')).toBe(isExplained);
  });
});

const person = (user: string) => world.slack.as(user);

const windowWith = async (user: string, words: string) => world.slack.render(await world.findWindow(words, user));

describe('the details of an answer', () => {
  it('say when it was asked, how long it took, with which time zone, web search, thread and files', async () => {
    const { answer } = await world.askAndWait(
      'compare https://acme.sharepoint.example/plan.docx with https://drive.other.example/a.pdf',
    );

    await person('U0ANA').click(answer, 'Details');
    const window = await windowWith('U0ANA', 'For support');

    expect(window).toMatch(/Asked\*?\n\d+ \w+ \d{4}, \d\d:\d\d/);
    expect(window).toMatch(/Time until the answer\*?\n\d+ seconds?/);
    expect(window).toContain('America/Los_Angeles, from your Slack profile');
    expect(window).toMatch(/Web search\*?\nOn/);
    expect(window).toContain('None was sent along.');
    expect(window).toContain('Files given to the assistant: acme.sharepoint.example/plan.docx');
    expect(window).toContain('drive.other.example/a.pdf (not in a document library the assistant can read)');
    expect(window).not.toContain('Written by AI');
    expect(window).toContain(`message:T0001:${CHANNEL}:`);
  });

  it('are for the person who asked, and others are told so', async () => {
    const { answer } = await world.askAndWait('what is new? !web-off');
    world.slack.workspace.changeUser('U0BEN', { locale: 'de-DE' });

    await person('U0BEN').click(answer, 'Details');
    const window = await windowWith('U0BEN', 'Die Details einer Antwort sieht nur die Person, die gefragt hat.');

    expect(window).not.toContain('message:T0001');
  });

  it('of an answer that is not known any more say so', async () => {
    const text = { type: 'plain_text', text: 'Details' };
    const button = { type: 'button', action_id: 'answer_details', text, value: 'message:T0001:C0GENERAL:1.1' };
    const blocks = [{ type: 'actions', elements: [button] }];
    const answer = world.slack.leaveMessage({ channel: CHANNEL, text: 'an old answer', blocks });

    await person('U0ANA').click(answer, 'Details');

    await windowWith('U0ANA', 'too old');
  });
});

/** What Slack was given as Markdown: labels, addresses, and what stands behind them. */
function markdownOf({ blocks }: Message): string {
  return blocks.flatMap(({ type, text }) => (type === 'markdown' ? [String(text)] : [])).join('\n');
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** `text` is read back by its marks, which are words like `mark17`. */
type Sample = { text: string; sources?: number };

const rows = (count: number, columns = 3) => [
  `| Row | ${range(columns - 1)
    .map((column) => `Column ${column}`)
    .join(' | ')} |`,
  `| ${range(columns)
    .map(() => '---')
    .join(' | ')} |`,
  ...range(count).map(
    (row) =>
      `| mark${row} | ${range(columns - 1)
        .map((column) => `${row}.${column}`)
        .join(' | ')} |`,
  ),
];

/** How each form is taken apart is in slack/text-out/several-messages.test.ts. */
const SAMPLES: Record<string, Sample> = {
  '9,900 characters with 20 long sources': {
    text: range(990)
      .map((mark) => `mark${mark}`.padEnd(9, 'x'))
      .join(' '),
    sources: 20,
  },
  '60 short sections': {
    text: range(60)
      .map((mark) => `## Section ${mark}\n\nmark${mark} is short.`)
      .join('\n\n'),
  },
  '40 fences': {
    text: range(40)
      .map((mark) => `mark${mark}:\n\n\`\`\`js\nlet x = ${mark};\n\`\`\``)
      .join('\n\n'),
  },
  '3 tables': {
    text: range(3)
      .map((table) => `mark${table} is table ${table}:\n\n${rows(0).join('\n')}\n| a | b | c |`)
      .join('\n\n'),
  },
  // Everything at once, as a service writes a long report.
  '100,000 characters with headings, tables, fences, lists and CJK': { text: makeReport(100_000) },
  // As headers these would be hundreds of messages.
  '3,000 headings': {
    text: range(3_000)
      .map((mark) => `# mark${mark}`)
      .join('\n\n'),
  },
};

/** Of at least so many characters; every piece has marks. */
function makeReport(length: number): string {
  const pieces: string[] = [];
  let mark = 0;
  const next = () => {
    mark += 1;
    return `mark${mark}`;
  };
  const chapter = () => {
    const table = rows(12, 4).map((row) => row.replace(/mark\d+/, next));
    const wide = rows(2, 24).map((row) => row.replace(/mark\d+ (.*) \|$/, (_, cells) => `x ${cells} ${next()} |`));
    const code = range(30).map(() => `if (${next()} < 1 && true) return; // ${'x'.repeat(40)}`);
    const list = range(10).map((item) => `${'  '.repeat(item % 3)}- ${next()} 次の手順を確認して & < >`);
    return [
      `# ${next()} 概要`,
      `${next()} ${'会議の議事録と次の手順を確認して、明日までに返信してください。'.repeat(20)}`,
      `## ${next()}`,
      table.join('\n'),
      `\`\`\`ts\n${code.join('\n')}\n\`\`\``,
      list.join('\n'),
      wide.join('\n'),
      `> ${next()} ${'A sentence that somebody said. '.repeat(20)}`,
      `1. ${next()}\n\n   ~~~\n   ${next()} in a list\n   ~~~`,
      '---',
    ].join('\n\n');
  };
  for (let size = 0; size < length; size += pieces.at(-1)?.length ?? 0) pieces.push(chapter());
  return pieces.join('\n\n');
}

function toAnswer({ text, sources = 0 }: Sample): Answer {
  const attributions = range(sources).map((number) => ({
    attributionType: 'citation' as const,
    attributionSource: 'grounding' as const,
    providerDisplayName: `Source ${number} ${'& co '.repeat(20)}`,
    seeMoreWebUrl: `https://files.example/${number}/${'a'.repeat(200)}`,
  }));
  return {
    text:
      text +
      range(sources)
        .map((number) => `[^${number}^]`)
        .join(''),
    attributions,
  };
}

const marksOf = (text: string) => text.match(/mark\d+/g) ?? [];

async function askFor(sample: Sample) {
  nextAnswer = toAnswer(sample);
  const question = await world.ask('tell me everything');
  await world.slack.until(
    () => world.repliesIn(question).some((reply) => /\[Ask again/.test(world.slack.render(reply))),
    { what: 'the end of the answer' },
  );
  await world.slack.until(() => world.slack.workspace.sessions.busy().length === 0);
  const replies = world.repliesIn(question);
  return { replies, text: replies.map((reply) => world.slack.render(reply)).join('\n') };
}

const refusals = () =>
  world.slack.ledger
    .calls()
    .filter(({ method, response }) => method.startsWith('chat.') && response?.ok === false)
    .map(({ response }) => response?.error);

describe.each(Object.entries(SAMPLES))('an answer with %s', (_, sample) => {
  it('arrives whole, in order, and within every limit, after one ask', async () => {
    const { replies, text } = await askFor(sample);

    expect(marksOf(text)).toEqual(marksOf(sample.text));
    expect(replies.length).toBeLessThan(60);
    for (const reply of replies) expect(measureMessage(reply.blocks)).toSatisfy(isWithinBudget);
    if (sample.sources) expect(text).toContain(`Source ${sample.sources}`);
    expect(refusals()).toEqual([]);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });
});

function isWithinBudget({ blocks, characters, tables }: ReturnType<typeof measureMessage>): boolean {
  return blocks <= 40 && characters <= 12_000 && tables <= 1;
}
