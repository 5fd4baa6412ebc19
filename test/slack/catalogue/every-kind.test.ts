import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { checkView } from '@assistant-bridge/sandbox/slack/blocks/check-view.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { toSpokenText } from '../../../src/slack/text-out/plain-text.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { MAX_TEXT_BYTES } from '../../../src/slack/web/limits.ts';
import { findLiveInMarkdown } from '../text-out/read-live.ts';
import { listEveryKind } from './every-kind.ts';
import type { Kind } from './kind.ts';

/** Built of what others say, or a part of what is listed. */
const NOT_LISTED: Record<string, string> = {
  buildEndModal: 'what the last windows have in common',
  buildModal: 'what all windows have in common',
};

const SOURCES = ['slack', 'governance', 'doctor'].flatMap((folder) => readSources(`../../../src/${folder}`));

const CATALOGUE = readSources('.').join('\n');

let kinds: Kind[];

beforeAll(async () => {
  kinds = await listEveryKind();
});

describe('the catalogue of what is shown in Slack', () => {
  it('has every message and every window that is built anywhere', () => {
    const builders = SOURCES.flatMap(findBuilders);
    const missing = builders.filter((name) => !new RegExp(`\\b${name}\\(`).test(CATALOGUE));

    expect(builders.length).toBeGreaterThan(60);
    expect(missing.toSorted()).toEqual(Object.keys(NOT_LISTED).toSorted());
  });

  it('names each kind once', () => {
    const names = kinds.map(({ kind }) => kind);

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('holds nothing that Slack would refuse', () => {
    const refused = kinds.flatMap((kind) => findProblems(kind).map((problem) => `${kind.kind}: ${problem}`));

    expect(refused).toEqual([]);
  });

  it('has a text of some characters, and not too many, beside every message', () => {
    const texts = kinds.flatMap((kind) => ('message' in kind ? [kind.message.text] : []));

    expect(texts.filter((text) => text === '' || Buffer.byteLength(text) > MAX_TEXT_BYTES)).toEqual([]);
  });

  it('says all that people see to those who hear it, but for the data of an export', () => {
    const others = /^(?:an export of data|a notice in plain text)/;
    const heard = kinds.filter(({ kind }) => !others.test(kind));
    const silent = heard.flatMap((one) => {
      if ('view' in one) return [];
      const { text, blocks } = one.message;
      return text.includes(toSpokenText(blocks).replace(/^:\w+: /, '')) ? [] : [one.kind];
    });

    expect(heard.length).toBeGreaterThan(100);
    expect(silent).toEqual([]);
  });

  it('has nothing live in any text that is not ours', () => {
    const texts = kinds.flatMap((kind) => ('message' in kind ? readMarkdown(kind.message) : []));

    expect(texts.length).toBeGreaterThan(10);
    expect(texts.flatMap(findLiveInMarkdown)).toEqual([]);
  });
});

function findProblems(kind: Kind): string[] {
  if ('view' in kind) return checkView({ ...kind.view }, kind.view.type);
  return checkMessage(kind.message.blocks)?.messages ?? [];
}

function readMarkdown({ blocks }: Content): string[] {
  return blocks.flatMap((block) => (block.type === 'markdown' && 'text' in block ? [block.text] : []));
}

/** The exported functions of a file that build a whole message or a whole window. */
function findBuilders(source: string): string[] {
  const functions = source.matchAll(/^export (?:async )?function ((?:build|compose)\w+)[\s\S]*?\n\}/gm);
  return [...functions].flatMap(([text, name = '']) =>
    /\): (?:Promise<)?(?:Required<)?(?:Content|ModalView|FormWindow|HomeView|ReplyMessage|Outbox|ListMessage|\{ content: Content)/.test(
      text,
    )
      ? [name]
      : [],
  );
}

function readSources(folder: string): string[] {
  const path = fileURLToPath(new URL(`${folder}/`, import.meta.url));
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path + file, 'utf8'));
}
