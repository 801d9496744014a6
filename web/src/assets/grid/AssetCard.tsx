import { CaptionsOff } from 'lucide-react';
import { memo } from 'react';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../formats';
import { InlineInput } from '../InlineInput';
import { type Asset, lacksAltText } from '../library/asset-types';
import type { PreviewSize } from '../library/preview-url';
import { AssetPicture } from './AssetPicture';
import styles from './AssetCard.module.css';

const NO_ALT_ICON = <CaptionsOff size={14} aria-hidden />;
export const MAX_TITLE = 200;

export interface CardProps {
  readonly index: number;
  readonly asset: Asset | undefined;
  readonly basePath: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: PreviewSize;
  /** While cards rush past, new ones show their placeholder only. */
  readonly isPictureLater: boolean;
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
  readonly isEditing: boolean;
  readonly isDraggable: boolean;
  onSaveTitle: (asset: Asset, title: string) => void;
  onStopEditing: () => void;
}

/** Clicks and keys are handled by the grid, for all cards at once. */
export const AssetCard = memo(function AssetCard(props: CardProps) {
  const { index, asset, x, y, width, height, isChosen, isTabStop, isEditing } = props;
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const place = { transform: `translate(${x}px, ${y}px)`, width, height };
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      aria-label={asset?.title ?? t('card.loading')}
      data-index={index}
      data-asset={asset?.assetId}
      tabIndex={isTabStop ? 0 : -1}
      draggable={props.isDraggable && asset !== undefined && !isEditing}
      className={styles.card}
      style={place}
    >
      <div role="gridcell" className={styles.cell}>
        <div className={styles.frame}>
          {asset ? (
            <AssetPicture
              key={asset.assetId}
              isLater={props.isPictureLater}
              asset={asset}
              basePath={props.basePath}
              size={props.size}
              plays
            />
          ) : (
            <div className={styles.empty} />
          )}
          <span className={styles.check} data-part="check" aria-hidden />
        </div>
        <div className={styles.caption}>
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
            <span className={styles.title} data-part="title" title={asset?.title}>
              {asset?.title}
            </span>
          )}
          <span className={styles.facts}>
            {asset && formats.facts(asset)}
            {asset && lacksAltText(asset) && (
              <span className={styles.noAlt} title={t('card.noAltText')}>
                {NO_ALT_ICON}
                <span className="visually-hidden">{t('card.noAltText')}</span>
              </span>
            )}
          </span>
        </div>
      </div>
    </div>
  );
});
