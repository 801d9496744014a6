import { useEffect, useRef } from 'react';
import { isShortcut, shortcutHint } from '../../ui/shortcuts';
import { TopBarSearch } from '../../shell/slots';
import { useTranslations } from '../../i18n';
import { SearchField } from '../../ui/SearchField';
import { useDraft } from './use-draft';
import { useLibrary } from '../../library/use-library';

/** Only fast typing skips a search. */
const TYPING_PAUSE_MS = 80;

/** Searches while the user types; the URL is updated a moment later. */
export function LibrarySearchField() {
  const t = useTranslations('assets.search');
  const { search, setSearch } = useLibrary();
  const q = search.q ?? '';
  const [text, setText] = useDraft(q);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === q) return;
    const timer = setTimeout(
      () => setSearch({ q: wanted === '' ? undefined : wanted }, { replace: q !== '' }),
      TYPING_PAUSE_MS,
    );
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
