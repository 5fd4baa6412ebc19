// The message of a review: what differs, in groups and pages, each row with its buttons. Fits Slack's limits whatever the
// names are like.
import type { ActionsBlock, AnyBlock, Button, StaticSelect } from '@slack/types';
import {
  buildButton,
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  toContent,
} from '../../slack/views/content.ts';
import { buildActions, buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/numbers.ts';
import { capitalize } from '../shell/typed-text.ts';
import { type Finding, GROUPS, type Group, isKeepable } from './finding.ts';
import type { ShownReview, ShownRow } from './kept-review.ts';
import { countDiffering, type ReviewHead } from './review.ts';
import { encodePlace, REVIEW_ACTIONS } from './review-buttons.ts';
import {
  describeFinding,
  describeFoot,
  describeHeadline,
  describeNotLooked,
  describeUnknowns,
} from './review-words.ts';

const TITLES: Record<Exclude<Group, 'unknown'>, string> = {
  new: 'New environments',
  more: 'Allow more',
  less: 'Allow less',
  ending: 'Exceptions that end within 14 days',
};

/** More would need a menu in each row. */
const MAX_CLASS_BUTTONS = 4;

export function buildReviewMessage(review: ShownReview, { timeZone }: { timeZone: string }): Content {
  const { head, page, rows } = review;
  const { lines = [] } = head.news ?? {};
  const headline = describeHeadline(head);
  const ofGroup = (group: Group) => rows.filter(({ finding }) => finding.group === group);
  const isFirst = page === 0;
  return toContent(
    fitBlocks([
      buildSection(headline),
      ...(isFirst ? buildTopActions(review) : []),
      ...(['new', 'more', 'less'] as const).flatMap((group) => buildGroup(group, ofGroup(group), review)),
      ...(isFirst ? buildUnknown(head) : []),
      ...buildGroup('ending', ofGroup('ending'), review),
      ...(lines.length === 0 ? [] : [buildSection(fitLines(lines))]),
      ...buildPages(review),
      buildNotes([fitLines(describeFoot(head, { timeZone, kept: review.kept }))]),
    ]),
  );
}

function buildTopActions({ head: { id, news }, open }: ShownReview): ActionsBlock[] {
  const all = open.more + open.less;
  const differing = encodePlace({ id, groups: ['more', 'less'] });
  const setBack = buildButton(REVIEW_ACTIONS.setBackAll, `Set all ${formatCredits(all)} back…`, differing);
  const hasOlder = news && !news.isFirst && news.differing + news.unknown > 0;
  return buildActions([
    ...(open.more > 0 && open.less > 0 ? [setBack] : []),
    ...(hasOlder
      ? [buildButton(REVIEW_ACTIONS.open, `All ${formatCredits(news.differing)}`, encodePlace({ id: news.review }))]
      : []),
  ]);
}

function buildGroup(group: Exclude<Group, 'unknown'>, rows: readonly ShownRow[], review: ShownReview): AnyBlock[] {
  if (rows.length === 0) return [];
  const { head, owners } = review;
  return [
    buildSection(`*${TITLES[group]} (${formatCredits(head.counts[group])})*`),
    ...buildActions(listGroupButtons(group, review)),
    ...rows.flatMap(({ finding, index }) => {
      const owner = finding.group === 'new' ? owners.get(finding.ownerId ?? '') : undefined;
      const text = describeFinding(finding, owner === undefined ? undefined : `<@${owner}>`);
      if (finding.isSettled) return [buildSection(fitLines([`✓ ${text}`]))];
      return [buildSection(fitLines([text])), ...buildActions(listRowButtons(finding, index, review))];
    }),
  ];
}

function listGroupButtons(
  group: Exclude<Group, 'unknown'>,
  { head: { id, counts, classes }, open, page }: ShownReview,
): (Button | StaticSelect)[] {
  const count = open[group];
  const value = encodePlace({ id, groups: [group], page });
  const csv = counts[group] > 1 ? [buildButton(REVIEW_ACTIONS.csv, 'CSV', value)] : [];
  if (group === 'ending') return csv;
  if (group === 'new') {
    if (classes.length === 0) return [buildButton(REVIEW_ACTIONS.draft, 'Draft a policy…', id), ...csv];
    return [...(count > 1 ? [buildClassMenu({ id, classes, count, page })] : []), ...csv];
  }
  const all = buildButton(REVIEW_ACTIONS.setBackAll, `Set all ${formatCredits(count)} back…`, value);
  return [...(count > 1 ? [all] : []), ...csv];
}

type ClassMenu = Pick<ReviewHead, 'id' | 'classes'> & { count: number; page: number };

function buildClassMenu({ id, classes, count, page }: ClassMenu): StaticSelect {
  return {
    type: 'static_select',
    action_id: REVIEW_ACTIONS.classAll,
    placeholder: buildPlainText(`All ${formatCredits(count)} as…`),
    options: classes.slice(0, 100).map((className) => ({
      text: buildPlainText(capitalize(className)),
      value: encodePlace({ id, groups: ['new'], className, page }),
    })),
  };
}

function listRowButtons(finding: Finding, index: number, { head: { id, classes }, page }: ShownReview): Button[] {
  const value = encodePlace({ id, index, page });
  switch (finding.group) {
    case 'new':
      return classes.slice(0, MAX_CLASS_BUTTONS).map((className, at) =>
        // Action ids have to be unique within a block.
        buildButton(
          `${REVIEW_ACTIONS.classOne}:${at}`,
          capitalize(className),
          encodePlace({ id, index, className, page }),
        ),
      );
    case 'ending':
      return [
        buildButton(REVIEW_ACTIONS.keep, 'Keep…', value),
        buildButton(REVIEW_ACTIONS.endException, 'End now', value),
      ];
    case 'unknown':
      return [];
    default:
      return [
        buildButton(REVIEW_ACTIONS.setBack, 'Set back', value),
        ...(isKeepable(finding.item) ? [buildButton(REVIEW_ACTIONS.keep, 'Keep…', value)] : []),
      ];
  }
}

function buildUnknown(head: ReviewHead): AnyBlock[] {
  const { id } = head;
  const unknowns = describeUnknowns(head).map(({ text, button }) => {
    if (button === undefined) return buildSection(text);
    const value = encodePlace({ id, groups: ['unknown'], way: button.way });
    return { ...buildSection(text), accessory: buildButton(REVIEW_ACTIONS.setUnknown, button.text, value) };
  });
  const notLooked = describeNotLooked(head).map((line) => `:warning: ${line}`);
  return [...unknowns, ...(notLooked.length === 0 ? [] : [buildSection(fitLines(notLooked))])];
}

function buildPages({ head, page, pageCount: pages }: ShownReview): ActionsBlock[] {
  const { id } = head;
  const toButton = (text: string, to: number, name: string) =>
    buildButton(`${REVIEW_ACTIONS.page}:${name}`, text, encodePlace({ id, page: to }));
  const isAll = countDiffering(head) + head.counts.unknown + head.counts.ending > 0;
  const csv = buildButton(REVIEW_ACTIONS.csv, 'CSV of all', encodePlace({ id, groups: [...GROUPS] }));
  return buildActions([
    ...(page > 0 ? [toButton('Previous', page - 1, 'previous')] : []),
    ...(page + 1 < pages ? [toButton(`Next (${page + 2} of ${pages})`, page + 1, 'next')] : []),
    ...(isAll ? [csv] : []),
  ]);
}
