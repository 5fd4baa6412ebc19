import type { Texts } from '../english.ts';

export const slackbot: Texts['slackbot'] = {
  cut: 'Der Rest der Antwort fehlt hier. Fragen Sie mich in einer Direktnachricht, um alles zu lesen.',
  working:
    'Der Assistent arbeitet noch daran. Stellen Sie in einer Minute genau dieselbe Frage, um die Antwort zu bekommen: Sie wird nicht ein zweites Mal gestellt.',
  tooOften:
    'Das waren viele Fragen in einer Minute, deshalb wurde diese nicht gestellt. Bitte warten Sie einen Moment.',
};
