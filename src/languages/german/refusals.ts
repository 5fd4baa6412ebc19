import { html } from '../../html.ts';
import type { Texts } from '../english.ts';

const ALL_IS_WELL = 'Wenn Slack meldet, dass Sie angemeldet sind, ist alles in Ordnung.';

export const refusals: Texts['refusals'] = {
  eitherCommand: (ofAssistant, ofAdmin) => html`${ofAssistant} (für Admin-Befehle ${ofAdmin})`,
  newLink: (command) =>
    html`<p><strong>Was Sie tun können:</strong> Gehen Sie zurück zu Slack und fordern Sie einen neuen Link an: Geben Sie ${command} ein oder wiederholen Sie Ihre Frage.</p>`,
  pages: {
    ticket_unknown: {
      title: 'Dieser Link gilt nicht mehr',
      body: (newLink) =>
        html`<p>Ein Anmeldelink funktioniert einmal und gilt 10 Minuten. Dieser wurde schon verwendet, ist zu alt oder nicht vollständig. ${ALL_IS_WELL}</p>${newLink}`,
    },
    step_unknown: {
      title: 'Dieser Schritt ist vorbei',
      body: (newLink) =>
        html`<p>Diese Seite wurde schon verwendet, oder es ist zu viel Zeit vergangen. ${ALL_IS_WELL}</p>${newLink}`,
    },
    other_browser: {
      title: 'Diese Anmeldung hat in einem anderen Browser begonnen',
      body: (newLink) =>
        html`<p>Sie muss in dem Browser enden, in dem sie begonnen hat, und dieser muss Cookies dieser Website annehmen. Es wurde nichts verbunden.</p>${newLink}`,
    },
    wrong_person: {
      title: 'Dieser Link gehört jemand anderem',
      body: (_newLink, command) =>
        html`<p>In diesem Browser ist bei Slack eine andere Person angemeldet als die, für die der Link erstellt wurde. Es wurde nichts verbunden.</p>
<p><strong>Wenn Ihnen jemand den Link geschickt hat:</strong> Schließen Sie diese Seite. In Slack können Sie einen eigenen Link anfordern: Geben Sie ${command} ein.</p>
<p><strong>Wenn es Ihr eigener Link ist:</strong> Melden Sie sich in diesem Browser bei Slack mit dem Konto an, mit dem Sie gefragt haben, und zwar im selben Workspace. Fordern Sie danach in Slack einen neuen Link an.</p>`,
    },
    denied: {
      title: 'Die Anmeldung wurde abgebrochen',
      body: (newLink) =>
        html`<p>Sie oder Ihre Organisation haben abgelehnt. Es wurde nichts verbunden.</p>${newLink}<p>Wenn das noch einmal geschieht, ohne dass Sie abbrechen, fragen Sie das Team, das den Assistenten betreibt, ob Ihr Konto ihn verwenden darf.</p>`,
    },
    consent_needed: {
      title: 'Ihre Organisation muss das zuerst erlauben',
      body: () =>
        html`<p>Bevor Sie sich anmelden können, muss die Administration Ihrer Organisation dieser App zustimmen. Es wurde nichts verbunden.</p><p><strong>Was Sie tun können:</strong> Teilen Sie dem Team, das den Assistenten betreibt, mit, dass der App die Zustimmung der Administration fehlt. Sobald sie erteilt ist, fordern Sie in Slack einen neuen Link an.</p>`,
    },
    slack_failed: {
      title: 'Slack hat nicht bestätigt, wer Sie sind',
      body: (newLink) =>
        html`<p>Die Anmeldung bei Slack wurde nicht abgeschlossen. Es wurde nichts verbunden.</p>${newLink}`,
    },
    slack_unavailable: {
      title: 'Slack ist nicht erreichbar',
      body: (_newLink, command) =>
        html`<p>Es wurde nichts verbunden.</p><p><strong>Was Sie tun können:</strong> Warten Sie eine Minute und wählen Sie in Slack noch einmal <strong>Anmelden</strong>, oder geben Sie ${command} ein: Dieser Link ist verbraucht.</p>`,
    },
    other_tenant: {
      title: 'Dieses Konto gehört zu einer anderen Organisation',
      body: (_newLink, command) =>
        html`<p>Sie haben sich mit einem Konto angemeldet, das nicht zu der Organisation gehört, für die diese App bestimmt ist. Es wurde nichts verbunden.</p>
<p><strong>Was Sie tun können:</strong> Gehen Sie zurück zu Slack, fordern Sie mit ${command} einen neuen Link an und wählen Sie bei der Anmeldung Ihr Geschäftskonto. Wenn das Ihr Geschäftskonto war, wenden Sie sich an das Team, das den Assistenten betreibt.</p>`,
    },
    provider_failed: {
      title: 'Die Anmeldung hat nicht funktioniert',
      body: (newLink) =>
        html`<p>Der Anmeldedienst Ihrer Organisation hat Ihr Konto nicht bestätigt. Es wurde nichts verbunden.</p>${newLink}<p>Wenn das noch einmal geschieht, wenden Sie sich an das Team, das den Assistenten betreibt.</p>`,
    },
    declined: {
      title: 'Abgebrochen',
      body: (_newLink, command) =>
        html`<p>Es wurde nichts verbunden, und von dieser Anmeldung ist hier nichts mehr gespeichert.</p>
<p><strong>Wenn Ihnen jemand den Link geschickt hat:</strong> Wenden Sie sich an das Team, das den Assistenten betreibt.</p>
<p><strong>Wenn einer der beiden Namen falsch war:</strong> Melden Sie sich in diesem Browser bei Slack und bei Ihrem Geschäftskonto mit Ihren eigenen Zugangsdaten an und fordern Sie danach in Slack einen neuen Link an: Geben Sie ${command} ein.</p>`,
    },
    unavailable: {
      title: 'Die Anmeldung ist im Moment nicht möglich',
      body: () =>
        html`<p>Ein Dienst, der dafür nötig ist, antwortet nicht. ${ALL_IS_WELL}</p><p><strong>Was Sie tun können:</strong> Warten Sie ein paar Minuten und fordern Sie dann in Slack einen neuen Link an.</p>`,
    },
    misconfigured: {
      title: 'Die Anmeldung ist nicht richtig eingerichtet',
      body: () =>
        html`<p>Eine Einstellung dieser App ist falsch, deshalb kann sich damit niemand anmelden. Es liegt nicht an Ihnen, und es wurde nichts verbunden.</p><p><strong>Was Sie tun können:</strong> Wenden Sie sich an das Team, das den Assistenten betreibt. Die Ursache steht im Protokoll der App. Sobald das behoben ist, fordern Sie in Slack einen neuen Link an.</p>`,
    },
    failed: {
      title: 'Hier ist ein Fehler aufgetreten',
      body: (newLink) =>
        html`<p>Der Fehler liegt bei uns, nicht bei Ihnen. Es wurde nichts verbunden.</p>${newLink}<p>Wenn das noch einmal geschieht, wenden Sie sich an das Team, das den Assistenten betreibt.</p>`,
    },
    cross_site: {
      title: 'Dieses Formular kam von einer anderen Website',
      body: (newLink) =>
        html`<p>Eine Anmeldung lässt sich nur auf ihrer eigenen Seite fortsetzen. Es ist nichts geschehen.</p>${newLink}`,
    },
    not_undone: {
      title: 'Das lässt sich hier nicht mehr rückgängig machen',
      body: () =>
        html`<p>Vielleicht wurde die Verbindung schon aufgehoben oder ersetzt, vielleicht sind die zehn Minuten vorbei. Um sicherzugehen, öffnen Sie mit diesem Slack-Konto den Tab <strong>Home</strong> der App in Slack: Er zeigt das verbundene Konto und hebt die Verbindung auf. Wenn es nicht Ihres ist, wenden Sie sich an das Team, das den Assistenten betreibt.</p>`,
    },
    bad_form: {
      title: 'Dieses Formular ist nicht vollständig',
      body: (newLink) => html`<p>Es ist nichts geschehen.</p>${newLink}`,
    },
    not_found: {
      title: 'Diese Seite gibt es nicht',
      body: (newLink) => html`<p>Die Adresse ist nicht vollständig oder gehört nicht zu dieser App.</p>${newLink}`,
    },
    wrong_method: {
      title: 'Diese Seite lässt sich so nicht verwenden',
      body: (newLink) => html`<p>Es ist nichts geschehen.</p>${newLink}`,
    },
  },
};
