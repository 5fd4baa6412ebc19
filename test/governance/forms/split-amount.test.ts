import { describe, expect, it } from 'vitest';
import { type NamedAmount, splitAmount } from '../../../src/governance/forms/pick-form.ts';

const NAMES = ['Travel Planner', 'Invoice Bot 2', 'Bot 100', 'R2 2000', 'agent-7'];

describe('a name with a number behind it', () => {
  it.each<[string, NamedAmount]>([
    ['travel planner 2000', { name: 'travel planner', amount: '2000' }],
    ['travel 2,000', { name: 'travel', amount: '2,000' }],
    ['travel 2 000', { name: 'travel', amount: '2 000' }],
    ['travel 1,000,000.5', { name: 'travel', amount: '1,000,000.5' }],
    ['travel 82.5', { name: 'travel', amount: '82.5' }],
    ['travel 0', { name: 'travel', amount: '0' }],
    ['agent-7 500', { name: 'agent-7', amount: '500' }],
    ['"Travel Planner" 500', { name: 'Travel Planner', amount: '500' }],
    ['invoice bot 2', { name: 'invoice bot 2' }],
    ['bot 2', { name: 'bot 2' }],
    ['invoice bot 2 500', { name: 'invoice bot 2', amount: '500' }],
    ['bot 100 200', { name: 'bot 100', amount: '200' }],
    ['bot 1 000', { name: 'bot', amount: '1 000' }],
    ['R2 2000', { name: 'R2 2000' }],
    ['travel', { name: 'travel' }],
    ['2000', { name: '2000' }],
    ['', { name: '' }],
    ['unheard of 2 000', { name: 'unheard of', amount: '2 000' }],
    ['travel two', { name: 'travel two' }],
    // Meant as an amount: the form says what is wrong with it.
    ['travel 5k', { name: 'travel', amount: '5k' }],
    ['travel -5', { name: 'travel', amount: '-5' }],
    ['travel −5', { name: 'travel', amount: '−5' }],
    ["travel 1'000", { name: 'travel', amount: "1'000" }],
    ['travel 1.000,00', { name: 'travel', amount: '1.000,00' }],
    ['travel .5', { name: 'travel', amount: '.5' }],
    ['travel $20', { name: 'travel', amount: '$20' }],
    ['travel 007', { name: 'travel', amount: '007' }],
    ['travel none', { name: 'travel', amount: 'none' }],
    ['"Travel Planner" no limit', { name: 'Travel Planner', amount: 'no limit' }],
    ['unheard of 5k', { name: 'unheard of 5k' }],
  ])('“%s” is read', (text, expected) => {
    expect(splitAmount(text, NAMES)).toEqual(expected);
  });

  it('is found among thousands of names in a pasted column of numbers', () => {
    const names = Array.from({ length: 9_000 }, (_, nth) => `Agent number ${nth} of the company`);
    const column = Array.from({ length: 1_000 }, (_, nth) => nth).join(' ');

    expect(splitAmount(`agent ${column}`, names)).toEqual({ name: 'agent', amount: column });
  });
});
