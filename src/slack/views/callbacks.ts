/** The callback ids of modals and shortcuts. The manifest reads them before any package is installed: no imports here. */
export const CALLBACKS = {
  webOffQuestion: 'web_off_question',
  deleteMyData: 'delete_my_data',
  askWithoutWeb: 'ask_without_web',
  feedback: 'feedback',
  askAbout: 'ask_about',
  aboutQuestion: 'about_question',
  schedule: 'schedule',
} as const;
