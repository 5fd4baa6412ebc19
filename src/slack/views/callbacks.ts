/** The same for modals and shortcuts. */
export const CALLBACKS = {
  webOffQuestion: 'web_off_question',
  confirmCode: 'confirm_code',
  askWithoutWeb: 'ask_without_web',
} as const;
