/** Blocks that frame something: cards, videos, and the steps of an agent's work. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Block, Json } from '../../../slack/records.ts';
import { type IconName, renderIcon } from '../icons.ts';
import type { ElementPlace } from './element-place.ts';
import { renderLink } from './live-words.ts';
import { renderText } from './mrkdwn.ts';
import { toObjects, toWords } from './parts.ts';
import { renderPicture } from './pictures.ts';
import { renderElement } from './render-elements.ts';
import { renderRichText } from './rich-text.ts';

export function renderCard(card: Block, place: ElementPlace): TemplateResult {
  const pictures = [...toObjects(card.hero_image), ...toObjects(card.icon)];
  const words = [card.title, card.subtitle, card.body].filter(Boolean);
  return html`<div class="card">${pictures.map(renderPicture)}
    ${words.map((one, index) => html`<div class=${index === 0 ? 'card-title' : ''}>${renderText(one, place.context)}</div>`)}
    <div class="actions">${toObjects(card.actions).map((one) => renderElement(one, place))}</div></div>`;
}

export function renderCarousel({ elements }: Block, place: ElementPlace): TemplateResult {
  return html`<div class="carousel" tabindex="0" role="region" aria-label="Cards">${toObjects(elements).map((card) => renderCard(card as Block, { ...place, block: card as Block }))}</div>`;
}

/** It is not played: its page would be another host's. */
export function renderVideo(video: Block): TemplateResult {
  const title = html`${renderIcon('play')} ${toWords(video.title)}`;
  const about = [video.author_name, video.provider_name, toWords(video.description)].filter(Boolean).join(' · ');
  return html`<figure class="card">${renderLink(String(video.title_url ?? video.video_url), title)}
    <figcaption>${about}</figcaption></figure>`;
}

const STATES: Record<string, IconName> = { pending: 'circle', in_progress: 'half', complete: 'check', error: 'close' };

export function renderTask(task: Json, { context }: ElementPlace): TemplateResult {
  const status = String(task.status ?? 'pending');
  const texts = [...toObjects(task.details), ...toObjects(task.output)];
  const sources = toObjects(task.sources);
  return html`<div class=${`task ${status}`}><span role="img" aria-label=${status.replace('_', ' ')}>${renderIcon(STATES[status] ?? 'circle')}</span>
    <div><strong>${toWords(task.title)}</strong>${texts.map((one) => renderRichText(one, context))}
    ${sources.length > 0 ? html`<p>${sources.map((one) => html`${renderLink(String(one.url), String(one.text ?? one.url))} `)}</p>` : nothing}</div></div>`;
}

export function renderPlan({ title, tasks }: Block, place: ElementPlace): TemplateResult {
  return html`<div class="card"><div class="card-title">${toWords(title)}</div>${toObjects(tasks).map((task) => renderTask(task, place))}</div>`;
}
