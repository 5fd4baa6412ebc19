import { html } from '../../html.ts';
import type { Texts } from '../english.ts';

export const pages: Texts['pages'] = {
  personIn: (name, workspace) => `${name} in ${workspace}`,
  back: 'Zurück zu Slack',
  start: {
    title: 'Konto verbinden',
    about: (person) => html`Hier verbinden Sie das Slack-Konto <strong>${person}</strong> mit Ihrem Geschäftskonto.`,
    effect: {
      assistant:
        'Der Assistent beantwortet Ihre Fragen dann mit Ihren eigenen Zugriffsrechten: Er findet, was Sie sehen dürfen, und sonst nichts.',
      admin:
        'Ihre Admin-Befehle in Slack werden dann mit Ihren eigenen Admin-Rechten ausgeführt. Diese Anmeldung ist von der für Fragen getrennt.',
    },
    way: 'Zuerst bestätigt Slack, wer Sie sind, und Sie melden sich mit Ihrem Geschäftskonto an. Dann sehen Sie beide Namen und entscheiden.',
    warning: 'Hat Ihnen jemand anderes diesen Link geschickt? Dann schließen Sie diese Seite: Er ist nicht für Sie.',
    choice: 'Wohin sollen Antworten gehen, wenn Sie in einem Channel fragen?',
    thread: 'In den Thread',
    threadMeans: 'Alle Mitglieder des Channels können sie lesen, auch wenn sie enthalten, was nur Sie sehen dürfen.',
    private: 'Nur an Sie, als Direktnachricht',
    privateMeans: 'Sie können jede davon danach im Thread teilen.',
    continue: 'Weiter',
  },
  pair: {
    slackAccount: 'Slack-Konto',
    workAccount: 'Geschäftskonto',
    nameless: html`<strong>Der Name des Kontos ist nicht bekannt</strong>, weil er bei der Anmeldung nicht mitgeteilt wurde.`,
  },
  confirm: {
    title: 'Diese beiden Konten verbinden?',
    onlyYours: 'Verbinden Sie die Konten nur, wenn beide Ihnen gehören.',
    meaning: {
      assistant:
        'Wer dieses Slack-Konto verwendet, erhält danach Antworten mit den Zugriffsrechten dieses Geschäftskontos.',
      admin: 'Wer dieses Slack-Konto verwendet, gibt danach Admin-Befehle mit den Rechten dieses Geschäftskontos.',
    },
    replaces: (account) =>
      html`<strong>${account ?? 'Ein anderes Konto'}</strong> ist jetzt verbunden und wird dann getrennt.`,
    notYours: html`Gehört eines davon nicht Ihnen, oder hat Ihnen jemand den Link geschickt? Dann wählen Sie <strong>Abbrechen</strong>.`,
    connect: 'Verbinden',
    cancel: 'Abbrechen',
  },
  linked: {
    title: 'Ihre Konten sind verbunden',
    next: {
      assistant:
        'Gehen Sie zurück zu Slack: Wenn Sie schon etwas gefragt haben, wird es jetzt beantwortet. Diese Seite können Sie schließen.',
      admin:
        'Gehen Sie zurück zu Slack: Wenn ein Admin-Befehl darauf gewartet hat, wird er dort jetzt ausgeführt. Diese Seite können Sie schließen.',
    },
    mistake: html`War das ein Versehen? Zehn Minuten lang können Sie es hier rückgängig machen, und jederzeit mit <strong>/assistant sign-out</strong> in diesem Slack-Konto.`,
    undo: 'Rückgängig machen',
  },
  undone: {
    title: 'Die Verbindung ist aufgehoben',
    removed:
      'Die beiden Konten sind nicht mehr verbunden, und Ihre Anmeldung ist hier gelöscht. Ein Konto, das vorher verbunden war, wird nicht wieder verbunden.',
    again: (command) => html`Um ein Konto zu verbinden, geben Sie in Slack <strong>${command}</strong> ein.`,
  },
};
