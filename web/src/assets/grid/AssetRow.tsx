import { CaptionsOff, Check } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from '../../i18n';
import { kindOf, useAssetFormats } from '../formats';
import { InlineInput } from '../InlineInput';
import { lacksAltText } from '../library/asset-types';
import { type CardProps, MAX_TITLE } from './AssetCard';
import { AssetPicture } from './AssetPicture';
import styles from './AssetRow.module.css';

const CHECK_ICON = <Check size={12} strokeWidth={3} aria-hidden />;
const NO_ALT_ICON = <CaptionsOff size={14} aria-hidden />;

/** One line of the list view. */
export const AssetRow = memo(function AssetRow(props: CardProps) {
  const { index, asset, y, width, height, isChosen, isTabStop, isEditing } = props;
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      aria-label={asset?.title ?? t('card.loading')}
      data-index={index}
      data-asset={asset?.assetId}
      tabIndex={isTabStop ? 0 : -1}
      draggable={props.isDraggable && asset !== undefined && !isEditing}
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
          <InlineInput
            value={asset.title}
            label={t('card.title')}
            maxLength={MAX_TITLE}
            isRequired
            className={styles.titleInput}
            onSave={(title) => props.onSaveTitle(asset, title)}
            onCancel={props.onStopEditing}
          />
        ) : (
          <span data-part="title" title={asset?.title}>
            {asset ? asset.title : <span className={styles.bar} />}
          </span>
        )}
        {asset && lacksAltText(asset) && (
          <span className={styles.noAlt} title={t('card.noAltText')}>
            {NO_ALT_ICON}
            <span className="visually-hidden">{t('card.noAltText')}</span>
          </span>
        )}
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
