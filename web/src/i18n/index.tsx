import { useMemo, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { IntlProvider } from 'use-intl';
import { messages, type Messages } from './messages';

export { useTranslations } from 'use-intl';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}

/** Texts are only in English so far; numbers, dates and plurals follow the user's locale. */
export function TextProvider({ children }: { children: ReactNode }) {
  const timeZone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <IntlProvider locale={navigator.language} timeZone={timeZone} messages={messages()}>
      <I18nProvider locale={navigator.language.startsWith('en') ? navigator.language : 'en-US'}>
        {children}
      </I18nProvider>
    </IntlProvider>
  );
}
