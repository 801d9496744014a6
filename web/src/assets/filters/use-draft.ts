import { useState } from 'react';

/** The text of a field while it is being edited. A value that changes from outside replaces it. */
export function useDraft(value: string): [string, (text: string) => void] {
  const [shown, setShown] = useState(value);
  const [text, setText] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  return [text, setText];
}
