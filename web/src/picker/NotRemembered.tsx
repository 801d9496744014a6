import { Info, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../i18n';
import { IconButton } from '../ui/IconButton';
import styles from './Picker.module.css';

/** The browser does not send our cookie in this frame, so a reload signs the user out. */
export function NotRemembered() {
  const t = useTranslations('picker');
  const [isShown, setShown] = useState(true);
  if (!isShown) return null;
  return (
    <div className={styles.notice} role="status">
      <Info size={16} aria-hidden />
      <p>
        {t('notRemembered')} <OpenLibrary />
      </p>
      <IconButton label={t('hideNotice')} icon={<X aria-hidden />} onPress={() => setShown(false)} />
    </div>
  );
}

/** Outside of the frame, the browser remembers the user. */
export function OpenLibrary() {
  const t = useTranslations('picker');
  return (
    <a className={styles.link} href="/" target="_blank" rel="noopener">
      {t('openLibrary')}
    </a>
  );
}
