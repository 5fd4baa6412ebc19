import { html, type TemplateResult } from 'lit';
import { renderIcon } from './icons.ts';

const COLOURS = 6;

/** A coloured square with somebody's initials; an app has a sign of its own. */
export function renderAvatar(id: string, name: string, isApp = false): TemplateResult {
  const colour = [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997, 0) % COLOURS;
  const initials = name
    .split(' ')
    .map(([first]) => first ?? '')
    .join('')
    .slice(0, 2);
  return html`<span class=${`avatar ${isApp ? 'app' : `colour-${colour}`}`} aria-hidden="true">${isApp ? renderIcon('spark') : initials}</span>`;
}
