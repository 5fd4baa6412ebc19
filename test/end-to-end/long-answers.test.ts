import type { Answer } from '@assistant-bridge/sandbox/assistant/conversation.ts';
import { measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { describe, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

let nextAnswer: string | Answer = '';
const world = shareLiveWorld({ assistant: { answer: () => nextAnswer } });

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
  '100,000 characters with CJK': {
    text: range(2_000)
      .map((mark) => `mark${mark} 会議の議事録と次の手順を確認して、明日までに返信してください。それから報告書。`)
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

describe('an answer whose form Slack refuses', () => {
  const [sample = { text: '' }] = Object.values(SAMPLES);

  it.each([1, 2])('arrives whole after %i refusal(s)', async (times) => {
    world.slack.faults.next('chat.postMessage', { kind: 'slackError', error: 'msg_blocks_too_long', times });

    const { replies, text } = await askFor(sample);

    // Plain text repeats no heading of a table, and shows the marks as they are.
    expect(marksOf(text)).toEqual(marksOf(sample.text));
    expect(replies.every(({ blocks }) => (times === 2 ? blocks[0]?.type === 'section' : true))).toBe(true);
    expect(refusals()).toHaveLength(times);
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });
});

function isWithinBudget({ blocks, characters, tables }: ReturnType<typeof measureMessage>): boolean {
  return blocks <= 40 && characters <= 12_000 && tables <= 1;
}
