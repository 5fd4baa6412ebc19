import type { FormField, PageForm } from './html-page.ts';

type Values = Readonly<Record<string, string>>;

/** What a browser sends for this form, filled with `values`; throws where the form offers no such thing. */
export function fillForm(form: PageForm, values: Values): URLSearchParams {
  const content = new URLSearchParams();
  for (const field of form.fields) {
    const value = readFieldValue(field, values[field.name]);
    if (field.name !== '' && value !== undefined) content.append(field.name, value);
  }
  const pressed = form.buttons.find(({ name, value }) => name !== '' && values[name] === value) ?? form.buttons[0];
  if (pressed !== undefined && pressed.name !== '') content.append(pressed.name, pressed.value);
  refuseUnoffered(content, values);
  return content;
}

function readFieldValue(field: FormField, given: string | undefined): string | undefined {
  if (field.type === 'radio' || field.type === 'checkbox') {
    const isChosen = given === undefined ? field.isChecked : given === field.value;
    return isChosen ? field.value : undefined;
  }
  if (given === undefined) return field.value;
  return field.options === undefined || field.options.includes(given) ? given : undefined;
}

// An empty value unticks a box, so it may end up nowhere.
function refuseUnoffered(content: URLSearchParams, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== '' && !content.getAll(name).includes(value)) {
      throw new Error(`The form does not offer “${value}” for “${name}”.`);
    }
  }
}
