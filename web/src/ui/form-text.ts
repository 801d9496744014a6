/** The text of a field, unchanged: for passwords. */
export function rawTextIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The text of a field, trimmed. */
export function textIn(form: FormData, name: string): string {
  return rawTextIn(form, name).trim();
}
