import type { Texts } from '../english.ts';

export const webOff: Texts['webOff'] = {
  usage: [
    '`/assistant-web-off Ihre Frage` stellt die Frage in diesem Channel und schaltet die Websuche für diese eine Antwort aus.',
    'In Threads gibt es in Slack keine Slash-Befehle. Schreiben Sie dort `!ohne-web` an eine beliebige Stelle Ihrer Nachricht an mich, wählen Sie im Menü einer Nachricht *Ask without web search* oder verwenden Sie die Schaltfläche unter einer Antwort.',
  ].join('\n'),
  title: 'Ohne Websuche fragen',
  label: 'Ihre Frage',
  hint: 'Die Frage ist im Channel zu sehen. Die Websuche ist nur für diese Antwort ausgeschaltet.',
  ask: 'Fragen',
  tooLong:
    'Diese Frage ist zu lang, um im Channel gezeigt zu werden, und wurde deshalb nicht gestellt. Bitte kürzen Sie sie, oder schreiben Sie mir eine Nachricht, die !ohne-web enthält.',
};
