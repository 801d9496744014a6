import { ACCEPTED_FILES } from '../api/file-types';

export interface PickOptions {
  /** Choose a whole folder instead of files. */
  readonly directory?: boolean;
  /** Take a photo with the phone's camera. */
  readonly capture?: boolean;
}

/** Opens the system's file dialog. Resolves to no files if it is cancelled. */
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
