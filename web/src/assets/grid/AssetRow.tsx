import { fileTypeName } from '../../api/file-types';
import { Check } from 'lucide-react';
import { memo } from 'react';
import type { CardProps } from './AssetCard';
import { AssetPicture } from './AssetPicture';
import { Badge, FolderLink, rowAttributes, TitleInput } from './card-parts';
import styles from './AssetRow.module.css';

const CHECK_ICON = <Check size={12} strokeWidth={3} aria-hidden />;

/** One line of the list view. */
const AssetRow = memo(function AssetRow(props: CardProps) {
  const { asset, texts, y: top, width, height } = props;
  const { formats } = texts;
  return (
    <div
      {...rowAttributes(props)}
      className={styles.row}
      data-folders={texts.folderOf && ''}
      style={{ top, width, height }}
    >
      {asset ? (
        <>
          <div role="gridcell" className={styles.thumb}>
            <div className={styles.frame}>
              <AssetPicture
                key={asset.assetId}
                isLater={props.isPictureLater}
                asset={asset}
                basePath={props.basePath}
                size="thumb"
                isSmall
              />
            </div>
            <span className={styles.check} data-part="check" aria-hidden>
              {CHECK_ICON}
            </span>
          </div>
          <div role="gridcell" className={styles.title}>
            {props.isEditing ? (
              <TitleInput
                asset={asset}
                texts={texts}
                className={styles.titleInput}
                onSaveTitle={props.onSaveTitle}
                onStopEditing={props.onStopEditing}
              />
            ) : (
              <span data-part="title" title={asset.title}>
                {asset.title}
              </span>
            )}
            <Badge asset={asset} texts={texts} className={styles.badge} />
          </div>
          {texts.folderOf && (
            <div role="gridcell" className={styles.place}>
              <FolderLink {...props} asset={asset} className={styles.folder} />
            </div>
          )}
          <div role="gridcell" data-wide="">
            {fileTypeName(asset.mimeType)}
          </div>
          <div role="gridcell" data-wide="">
            {formats.pixels(asset)}
          </div>
          <div role="gridcell" className={styles.number}>
            {formats.bytes(asset.sizeBytes)}
          </div>
          <div role="gridcell" data-wide="">
            {formats.date(asset.createdAt)}
          </div>
        </>
      ) : (
        <div role="gridcell" className={styles.loading} />
      )}
    </div>
  );
});

export default AssetRow;
