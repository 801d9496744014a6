/** The browser reads the file after the click. */
const REVOKE_AFTER_MS = 10_000;

export function download(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves what has been loaded already. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
