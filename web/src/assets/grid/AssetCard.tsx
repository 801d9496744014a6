import { memo } from 'react';
import type { AssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import type { PreviewSize } from '../../library/preview-url';
import { AssetPicture } from './AssetPicture';
import { Badge, FolderLink, rowAttributes, TitleInput } from './card-parts';
import styles from './AssetCard.module.css';

/** Shared by all cards. */
export interface CardTexts {
  readonly formats: AssetFormats;
  readonly loading: string;
  readonly title: string;
  /** Where an asset is; undefined if all listed assets are in the open folder. */
  folderOf?: (asset: Asset) => CardFolder;
  /** What is to know about an asset for the chosen filter, if anything. */
  badgeOf?: (asset: Asset) => string | null;
}

export interface CardFolder {
  readonly folderId: string | null;
  readonly name: string;
  readonly path: string;
}

export interface CardProps {
  readonly index: number;
  /** Its row for assistive technology, which counts headings too. */
  readonly row: number;
  readonly asset: Asset | undefined;
  readonly basePath: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: PreviewSize;
  readonly texts: CardTexts;
  /** During fast scrolling, new cards show only their placeholder. */
  readonly isPictureLater: boolean;
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
  readonly isEditing: boolean;
  readonly isDraggable: boolean;
  onSaveTitle: (asset: Asset, title: string) => void;
  onStopEditing: () => void;
}

/** The grid handles clicks and keys for all cards. */
export const AssetCard = memo(function AssetCard(props: CardProps) {
  const { asset, texts, x: left, y: top, width, height } = props;
  return (
    <div {...rowAttributes(props)} className={styles.card} style={{ left, top, width, height }}>
      {asset ? (
        <div role="gridcell" className={styles.cell}>
          <div className={styles.frame}>
            <AssetPicture
              key={asset.assetId}
              isLater={props.isPictureLater}
              asset={asset}
              basePath={props.basePath}
              size={props.size}
              plays
            />
            <Badge asset={asset} texts={texts} className={styles.badge} />
            <span className={styles.check} data-part="check" aria-hidden />
          </div>
          <div className={styles.caption}>
            {props.isEditing ? (
              <TitleInput
                asset={asset}
                texts={texts}
                className={styles.titleInput}
                onSaveTitle={props.onSaveTitle}
                onStopEditing={props.onStopEditing}
              />
            ) : (
              <span className={styles.title} data-part="title" title={asset.title}>
                {asset.title}
              </span>
            )}
            <span className={styles.facts}>{texts.formats.facts(asset)}</span>
            <FolderLink {...props} asset={asset} className={styles.folder} />
          </div>
        </div>
      ) : (
        <div role="gridcell" className={styles.loading} />
      )}
    </div>
  );
});
