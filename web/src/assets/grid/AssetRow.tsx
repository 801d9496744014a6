import { Check } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from '../../i18n';
import { kindOf, useAssetFormats } from '../formats';
import type { CardProps } from './AssetCard';
import { AssetPicture } from './AssetPicture';
import { NoAltText, TitleInput, useRowAttributes } from './card-parts';
import styles from './AssetRow.module.css';

const CHECK_ICON = <Check size={12} strokeWidth={3} aria-hidden />;

/** One line of the list view. */
export const AssetRow = memo(function AssetRow(props: CardProps) {
  const { index, asset, y, width, height, isEditing } = props;
  const attributes = useRowAttributes(props);
  const formats = useAssetFormats();
  return (
    <div
      {...attributes}
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ transform: `translateY(${y}px)`, width, height }}
    >
      <div role="gridcell" className={styles.thumb}>
        <div className={styles.frame}>
          {asset && (
            <AssetPicture
              key={asset.assetId}
              isLater={props.isPictureLater}
              asset={asset}
              basePath={props.basePath}
              size="thumb"
              isSmall
            />
          )}
        </div>
        <span className={styles.check} data-part="check" aria-hidden>
          {CHECK_ICON}
        </span>
      </div>
      <div role="gridcell" className={styles.title}>
        {asset && isEditing ? (
          <TitleInput
            asset={asset}
            className={styles.titleInput}
            onSaveTitle={props.onSaveTitle}
            onStopEditing={props.onStopEditing}
          />
        ) : (
          <span data-part="title" title={asset?.title}>
            {asset ? asset.title : <span className={styles.bar} />}
          </span>
        )}
        {asset && <NoAltText asset={asset} className={styles.noAlt} />}
      </div>
      <div role="gridcell" data-wide="">
        {asset && kindOf(asset.mimeType)}
      </div>
      <div role="gridcell" data-wide="">
        {asset && formats.pixels(asset)}
      </div>
      <div role="gridcell" className={styles.number}>
        {asset && formats.bytes(asset.sizeBytes)}
      </div>
      <div role="gridcell" data-wide="">
        {asset && formats.date(asset.createdAt)}
      </div>
    </div>
  );
});

export function ListHeader() {
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
