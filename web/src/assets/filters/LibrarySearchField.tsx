import { useEffect, useRef, useState } from 'react';
import { isShortcut, shortcutHint } from '../../ui/shortcuts';
import { TopBarSearch } from '../../shell/slots';
import { useTranslations } from '../../i18n';
import { SearchField } from '../../ui/SearchField';
import { useLibrary } from '../../library/use-library';

/** Only fast typing skips a search. */
const TYPING_PAUSE_MS = 80;

/** Searches while the user types; the URL is updated a moment later. */
export function LibrarySearchField() {
  const t = useTranslations('assets.search');
  const { search, setSearch } = useLibrary();
  const q = search.q ?? '';
  const [text, setText] = useState(q);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    // A search of ours that arrives late must not replace what has been typed since.
    const own = sent.current.indexOf(q);
    sent.current = own === -1 ? [] : sent.current.slice(own + 1);
    if (own === -1) setText(q);
  }, [q]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === q) return;
    const timer = setTimeout(() => {
      sent.current.push(wanted);
      setSearch({ q: wanted === '' ? undefined : wanted }, { replace: q !== '' });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q, setSearch, text]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, [role="dialog"]') !== null;
      if (!isShortcut(event, 'search') || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <TopBarSearch>
      <SearchField
        label={t('label')}
        placeholder={t('placeholder')}
        shortcut={shortcutHint('search')}
        value={text}
        onChange={setText}
        maxLength={500}
        inputRef={input}
      />
    </TopBarSearch>
  );
}
