import { useTranslations } from '../../i18n';
import styles from './AssetRow.module.css';

/** The names of the list view's columns. */
export default function ListHeader() {
  const t = useTranslations('assets');
  return (
    <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.header}`}>
      <div role="columnheader" className={styles.thumb}>
        <span className="visually-hidden">{t('list.preview')}</span>
      </div>
      <div role="columnheader">{t('list.title')}</div>
      <div role="columnheader" data-wide="">
        {t('list.type')}
      </div>
      <div role="columnheader" data-wide="">
        {t('list.dimensions')}
      </div>
      <div role="columnheader" className={styles.number}>
        {t('list.size')}
      </div>
      <div role="columnheader" data-wide="">
        {t('list.added')}
      </div>
    </div>
  );
}
