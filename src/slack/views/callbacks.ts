/** The callback ids of modals and shortcuts. No imports here: `npm run manifest` reads them before packages are installed. */
export const CALLBACKS = {
  webOffQuestion: 'web_off_question',
  deleteMyData: 'delete_my_data',
  askWithoutWeb: 'ask_without_web',
  feedback: 'feedback',
  askAbout: 'ask_about',
  aboutQuestion: 'about_question',
  schedule: 'schedule',
} as const;
