/** Browsers ask for confirmation before they save many files in a row. */
export const MAX_DOWNLOADS = 20;
const PAUSE_MS = 400;

export function download(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

export async function downloadAll(urls: readonly string[]): Promise<void> {
  for (const [index, url] of urls.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    download(url);
  }
}
