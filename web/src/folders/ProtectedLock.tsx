import { Lock } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useTranslations } from '../i18n';
import { Tooltip } from '../ui/Tooltip';
import styles from './FolderTree.module.css';

/** Explains why a folder cannot be changed. */
export function ProtectedLock() {
  const t = useTranslations('folders');
  return (
    <Tooltip label={t('protected.why')} delay={200} placement="right">
      <Button className={styles.lock} aria-label={t('protected.why')} excludeFromTabOrder>
        <Lock size={12} aria-hidden />
      </Button>
    </Tooltip>
  );
}
