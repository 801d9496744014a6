/** What was typed into a field, as it is: for passwords. */
export function rawTextIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** What was typed into a field, without space around it. */
export function textIn(form: FormData, name: string): string {
  return rawTextIn(form, name).trim();
}
