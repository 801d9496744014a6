import { useTranslations } from '../../i18n';
import styles from './AssetRow.module.css';

/** The names of the list view's columns. */
export default function ListHeader() {
  const t = useTranslations('dialogs.listColumns');
  return (
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.header}`}>
      <div role="columnheader" className={styles.thumb}>
        <span className="visually-hidden">{t('preview')}</span>
      </div>
      <div role="columnheader">{t('title')}</div>
      <div role="columnheader" data-wide="">
        {t('type')}
      </div>
      <div role="columnheader" data-wide="">
        {t('dimensions')}
      </div>
      <div role="columnheader" className={styles.number}>
        {t('size')}
      </div>
      <div role="columnheader" data-wide="">
        {t('added')}
      </div>
    </div>
  );
}
