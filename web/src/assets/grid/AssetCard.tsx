import { memo } from 'react';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import type { PreviewSize } from '../library/preview-url';
import { AssetPicture } from './AssetPicture';
import { NoAltText, TitleInput, useRowAttributes } from './card-parts';
import styles from './AssetCard.module.css';

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
  const { index, asset, x, y, width, height, isEditing } = props;
  const attributes = useRowAttributes(props);
  const formats = useAssetFormats();
  const place = { transform: `translate(${x}px, ${y}px)`, width, height };
  return (
    <div {...attributes} aria-rowindex={index + 1} className={styles.card} style={place}>
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
            <TitleInput
              asset={asset}
              className={styles.titleInput}
              onSaveTitle={props.onSaveTitle}
              onStopEditing={props.onStopEditing}
            />
          ) : (
            <span className={styles.title} data-part="title" title={asset?.title}>
              {asset?.title}
            </span>
          )}
          <span className={styles.facts}>
            {asset && formats.facts(asset)}
            {asset && <NoAltText asset={asset} className={styles.noAlt} />}
          </span>
        </div>
      </div>
    </div>
  );
});
