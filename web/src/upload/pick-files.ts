import { ACCEPTED_FILES } from './engine/media-type';

export interface PickOptions {
  /** A whole folder instead of files. */
  readonly directory?: boolean;
  /** Takes a photo with the camera of a phone. */
  readonly capture?: boolean;
}

/** Opens the system's file dialog; no files when it is closed without a choice. */
export function pickFiles({ directory = false, capture = false }: PickOptions): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.hidden = true;
  input.multiple = !capture;
  input.webkitdirectory = directory;
  if (!directory) input.accept = capture ? 'image/*' : ACCEPTED_FILES;
  // As an attribute: not every browser has the property.
  if (capture) input.setAttribute('capture', 'environment');
  // Some browsers open the dialog only for an input that is part of the page.
  document.body.append(input);
  return new Promise((resolve) => {
    const settle = () => {
      input.remove();
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener('change', settle, { once: true });
    input.addEventListener('cancel', settle, { once: true });
    input.click();
  });
}
