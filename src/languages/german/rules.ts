import type { Texts } from '../english.ts';

export const rules: Texts['rules'] = {
  notAllowedHere:
    'Die Administration hat in diesem Channel keine Fragen zugelassen, deshalb habe ich Ihre nicht weitergegeben. Fragen Sie mich stattdessen in einer Direktnachricht.',
  paused: (word) =>
    `Die Administration hat mich vorübergehend angehalten, deshalb habe ich Ihre Frage nicht weitergegeben. ${word === '' ? '' : `Dazu heißt es: ${word}\n`}Bitte fragen Sie später noch einmal.`,
  pausedStatus: (word) =>
    `Die Administration hat mich vorübergehend angehalten: Zurzeit beantworte ich keine Fragen.${word === '' ? '' : ` Dazu heißt es: ${word}`}`,
  personCap: (most, until) =>
    `Sie haben in diesem Channel heute ${most === 1 ? 'Ihre eine Frage' : `Ihre ${most} Fragen`} gestellt, mehr lässt die Administration nicht zu. Ab ${until} antworte ich Ihnen hier wieder, in Direktnachrichten schon jetzt.`,
  channelCap: (most, until) =>
    `In diesem Channel wurde heute ${most === 1 ? 'die eine Frage' : `alle ${most} Fragen`} gestellt, mehr lässt die Administration nicht zu. Ab ${until} antworte ich hier wieder, in Direktnachrichten schon jetzt.`,
  webOff: 'Für diese Antwort war die Websuche ausgeschaltet, weil die Administration das hier so festgelegt hat.',
  privateNote: (channel) =>
    `Nur an Sie gesendet, weil Antworten auf Fragen aus ${channel} auf Wunsch der Administration privat sind.`,
  privateStub: (asker) =>
    `<@${asker}> hat die Antwort als Direktnachricht erhalten, weil Antworten in diesem Channel auf Wunsch der Administration privat sind.`,
};
