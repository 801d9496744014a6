/** Returns whether the text was copied. Browsers refuse without https, without permission, or too long after a click. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
