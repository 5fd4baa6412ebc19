/** The callback ids of modals and shortcuts. The manifest reads them before any package is installed: no imports here. */
export const CALLBACKS = {
  webOffQuestion: 'web_off_question',
  confirmCode: 'confirm_code',
  askWithoutWeb: 'ask_without_web',
} as const;
