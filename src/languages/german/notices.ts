import type { Texts } from '../english.ts';

const HELP = [
  'Schreiben Sie mir direkt oder erwähnen Sie mich in einem Channel; in unserem Thread einfach weiterschreiben.',
  'Ich antworte aus Inhalten, auf die *Sie* Zugriff haben, und dem Web.',
  '*Ohne Websuche:* `/assistant-web-off Ihre Frage` oder `!ohne-web` in einer Nachricht.',
  '*Zu einer Nachricht:* in deren Menü *Ask about this message*.',
  '*Dokumente:* Teilen Sie mit der Frage einen Link aus Ihrer Dokumentbibliothek.',
  'Ich sende und ändere nichts, und ich kann mich irren: Prüfen Sie, worauf es ankommt.',
  'Mein Tab *Home* zeigt Ihr Konto und Ihre Daten; `/assistant privacy` sagt, was gespeichert wird.',
].join('\n');

export const notices: Texts['notices'] = {
  sentences: {
    interrupted:
      'Ich wurde unterbrochen, während der Assistent an dieser Frage gearbeitet hat. Sie wurde möglicherweise schon gezählt. Deshalb habe ich sie nicht von selbst noch einmal gestellt.',
    outcome_unknown:
      'Beim Assistenten ist ein Fehler aufgetreten, er hat nicht rechtzeitig geantwortet, oder die Verbindung ist abgebrochen. Die Frage wurde möglicherweise schon gezählt. Deshalb habe ich sie nicht von selbst noch einmal gestellt.',
    unavailable:
      'Ich bin nicht rechtzeitig durchgekommen und versuche es nicht weiter. Ihre Frage wurde nicht verarbeitet.',
    empty: 'Darauf hatte der Assistent keine Antwort. Versuchen Sie es mit einer anderen Formulierung.',
    disengaged:
      'Der Assistent hat diese Unterhaltung beendet und nimmt darin keine Fragen mehr an. Mit Ihrer nächsten Frage hier beginnt eine neue.',
    forbidden:
      'Der Assistent hat Ihr Konto ohne Angabe von Gründen abgelehnt. Bitte wenden Sie sich an das Team, das den Assistenten betreibt.',
    consent_missing:
      'Der Assistent hat Ihre Frage abgelehnt, weil Ihre Organisation dem noch nicht zugestimmt hat. Bitte wenden Sie sich an die Administration, die Apps für Ihr Geschäftskonto freigibt.',
    licence_missing:
      'Der Assistent hat Ihr Konto abgelehnt, weil ihm eine Lizenz fehlt. Bitte wenden Sie sich an die Stelle, die in Ihrer Organisation Lizenzen zuweist, meist den IT-Support. Eine neue Lizenz wirkt nach bis zu einer halben Stunde.',
    credits_used_up:
      'Der Assistent hat Ihre Frage abgelehnt, weil das Guthaben dafür aufgebraucht ist. Bitte sagen Sie dem Team Bescheid, das den Assistenten betreibt: Es sieht den Verbrauch und kann Guthaben bereitstellen lassen.',
    policy_blocks:
      'Der Assistent hat Ihre Frage abgelehnt, weil eine Richtlinie Ihrer Organisation sie blockiert. Bitte fragen Sie das Team, das den Assistenten betreibt, um welche Richtlinie es geht und wer darüber entscheidet.',
    rejected: 'Der Assistent hat diese Frage so nicht angenommen. Versuchen Sie es mit einer anderen Formulierung.',
    too_long: 'Das ist zu lang für den Assistenten. Bitte kürzen Sie die Frage und senden Sie sie noch einmal.',
    busy: 'Der Assistent ist noch mit einer früheren Frage aus diesem Thread beschäftigt. Bitte versuchen Sie es gleich noch einmal.',
    sign_in_needed:
      'Melden Sie sich einmal an, damit ich mit Ihren Zugriffsrechten fragen kann. Fragen Sie dann noch einmal.',
    sign_in_expired:
      'Diese Frage hat einen Tag lang auf Ihre Anmeldung gewartet und ist nun abgelaufen. Melden Sie sich an und fragen Sie erneut.',
    sign_in_lost:
      'Ich kann Ihre gespeicherte Anmeldung nicht mehr öffnen. Bitte melden Sie sich neu an und fragen Sie dann noch einmal.',
    account_unusable:
      'Der Assistent hat das Konto abgelehnt, mit dem Sie angemeldet sind. Bitte melden Sie sich mit Ihrem Geschäftskonto neu an.',
    sign_in_broken:
      'Die Anmeldung ist nicht richtig eingerichtet, deshalb kann ich nicht für Sie fragen. Das muss das Team beheben, das den Assistenten betreibt. Fragen Sie danach erneut.',
    too_late:
      'Diese Frage konnte ich nicht rechtzeitig stellen, und jetzt ist es zu spät. Deshalb habe ich sie ausgelassen; es wurde nichts verarbeitet. Wenn Sie die Antwort noch brauchen, fragen Sie erneut.',
    schedule_held:
      'Sie sind nicht angemeldet, deshalb stelle ich Ihre geplanten Fragen nicht. Nach der Anmeldung geht es zur nächsten Zeit weiter.',
    question_lost: 'Ich kann diese Frage nicht mehr lesen. Bitte stellen Sie sie noch einmal.',
    question_gone: 'Ich finde diese Frage in Slack nicht mehr. Bitte schreiben Sie sie noch einmal.',
    question_changed:
      'Diese Nachricht hat jemand anderes geschrieben, und sie lautet nicht mehr so wie zu dem Zeitpunkt, als Sie sie als Frage gestellt haben. Deshalb habe ich sie nicht noch einmal mit Ihren Zugriffsrechten gestellt. Lesen Sie die Nachricht in der jetzigen Fassung. Wenn Sie sie trotzdem als Frage stellen möchten, wählen Sie im Menü der Nachricht *Ask without web search* oder schreiben Sie die Frage selbst.',
    no_question: `In dieser Nachricht habe ich keine Frage gefunden. ${HELP}`,
    help: HELP,
    cannot_post:
      'Ich kann in dieser Unterhaltung nicht schreiben: Ich gehöre nicht dazu, sie nimmt keine Nachrichten von mir an, oder die Nachricht, auf die ich antworten sollte, gibt es nicht mehr. In einen Channel können Sie mich mit `/invite` einladen. Oder fragen Sie mich hier.',
    guest: 'Ich antworte nur Mitgliedern dieser Organisation. Deshalb kann ich Ihnen hier nicht antworten.',
    shared_channel:
      'Dieser Channel wird mit einer anderen Organisation geteilt, deshalb antworte ich hier nicht. Fragen Sie mich stattdessen in einer Direktnachricht.',
    stopped: 'Gestoppt.',
    cancelled: 'Abgebrochen.',
    failed:
      'Bei mir ist ein Fehler aufgetreten. Ihre Frage wurde nicht beantwortet. Das Team, das den Assistenten betreibt, kann die Ursache sehen.',
  },
  serviceSaid: (words) => `Der Assistent meldet: ${words}`,
  waitsFor: {
    assistant_throttled: 'Der Assistent ist ausgelastet und bittet um etwas Geduld.',
    assistant_unreachable: 'Der Assistent ist im Moment nicht erreichbar.',
    conversation_busy: 'Der Assistent ist noch mit einer früheren Frage aus diesem Thread beschäftigt.',
    identity_provider_unavailable: 'Der Anmeldedienst ist im Moment nicht erreichbar.',
    slack_reading_limited: 'Slack lässt mich nur in größeren Abständen Nachrichten lesen und bittet um etwas Geduld.',
    token_key_unknown: 'Ich kann Ihre Anmeldung im Moment nicht öffnen.',
  },
  waiting: (reason) =>
    `${reason} Ihre Frage geht nicht verloren: Sobald es weitergeht, antworte ich hier. Nach zehn Minuten versuche ich es nicht weiter.`,
  cancelQuestion: 'Frage zurückziehen',
  asked: (asker) => `${asker} hat gefragt:`,
  askedWebOff: (asker) => `${asker} hat ohne Websuche gefragt:`,
  working: 'sieht gerade nach …',
  over: 'Diese Nachricht ist nicht mehr aktuell.',
};

export const rules: Texts['rules'] = {
  notAllowedHere:
    'Die Administration hat in diesem Channel keine Fragen zugelassen, deshalb habe ich Ihre nicht weitergegeben. Fragen Sie mich stattdessen in einer Direktnachricht.',
  paused: (word) =>
    `Die Administration hat mich vorübergehend angehalten, deshalb habe ich Ihre Frage nicht weitergegeben. ${word === '' ? '' : `Dazu heißt es: ${word}\n`}Bitte fragen Sie später noch einmal.`,
  pausedStatus: (word) =>
    `Die Administration hat mich vorübergehend angehalten: Zurzeit beantworte ich keine Fragen.${word === '' ? '' : ` Dazu heißt es: ${word}`}`,
  personCap: (most, until) =>
    `Sie haben in diesem Channel heute ${most === 1 ? 'eine Frage' : `${most} Fragen`} gestellt, mehr lässt die Administration nicht zu. Ab ${until} antworte ich Ihnen hier wieder, in Direktnachrichten schon jetzt.`,
  channelCap: (most, until) =>
    `In diesem Channel ${most === 1 ? 'wurde heute eine Frage' : `wurden heute ${most} Fragen`} gestellt, mehr lässt die Administration nicht zu. Ab ${until} antworte ich hier wieder, in Direktnachrichten schon jetzt.`,
  webOff: 'Für diese Antwort war die Websuche ausgeschaltet, weil die Administration das hier so festgelegt hat.',
  privateNote: (channel) =>
    `Nur an Sie gesendet, weil Antworten auf Fragen aus ${channel} auf Wunsch der Administration privat sind.`,
  privateStub: (asker) =>
    `<@${asker}> hat die Antwort als Direktnachricht erhalten, weil Antworten in diesem Channel auf Wunsch der Administration privat sind.`,
};

export const controls: Texts['controls'] = {
  nothingWasDone:
    'Es ist nichts geschehen, weil ich Ihre Eingabe nicht speichern konnte. Bitte versuchen Sie es gleich noch einmal.',
  tooOld: 'Diese Frage liegt zu lange zurück, ich kenne sie nicht mehr. Bitte schreiben Sie sie noch einmal.',
  doneAlready: 'Das haben Sie schon angefordert. Sehen Sie im Thread Ihrer Frage nach.',
  notYours:
    'Das kann nur die Person, die gefragt hat. Um dasselbe mit Ihren eigenen Zugriffsrechten zu fragen, wählen Sie im Menü der Frage *Ask without web search* oder schreiben Sie die Frage selbst.',
  cancelNotYours: 'Nur die Person, die gefragt hat, kann die Frage zurückziehen.',
  cancelTooLate: 'Diese Frage lässt sich nicht mehr zurückziehen, sie ist schon abgeschlossen.',
  stopNotYours: (asker) => `Ich arbeite weiter daran. Stoppen kann mich nur, wer gefragt hat: ${asker}.`,
  questionTooLong:
    'Diese Frage ist zu lang, um in Slack gezeigt zu werden, deshalb ist nichts geschehen. Bitte kürzen Sie sie.',
  thanks: 'Danke, ist notiert.',
  loading: 'Einen Moment …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  windowNotOpened: 'Slack hat das Fenster nicht rechtzeitig geöffnet. Bitte versuchen Sie es noch einmal.',
  windowNotFilled:
    'Slack hat den Inhalt des Fensters nicht angezeigt. Schließen Sie das Fenster und öffnen Sie es noch einmal.',
  retired: {
    title: 'Nicht mehr aktuell',
    click:
      'Was Sie angeklickt haben, gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. Schreiben Sie mir noch einmal oder sehen Sie unter `/assistant hilfe` nach.',
    shortcut:
      'Dieser Shortcut gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. `/assistant hilfe` zeigt, was ich kann.',
    command:
      'Dieser Befehl gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. `/assistant hilfe` zeigt, was ich kann.',
    window:
      'Dieses Fenster gehört zu einer älteren Version dieser App oder zu einer Funktion, die ausgeschaltet ist. Es ist nichts geschehen. Schließen Sie es und sehen Sie unter /assistant hilfe nach.',
  },
};
