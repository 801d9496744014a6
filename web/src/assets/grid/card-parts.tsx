import { InlineInput } from '../../ui/InlineInput';
import { stringifySearch } from '../../browser/search-params';
import type { Asset } from '../../library/asset-types';
import type { CardProps } from './AssetCard';

export const MAX_TITLE = 200;

/** Attributes by which the grid finds a card or row, and which assistive technology reads. */
export function rowAttributes(props: CardProps) {
  const { index, asset, texts, isChosen, isTabStop, isEditing, isDraggable } = props;
  return {
    role: 'row',
    'aria-selected': isChosen,
    'aria-label': asset?.title ?? texts.loading,
    'aria-rowindex': props.row,
    'data-index': index,
    'data-asset': asset?.assetId,
    tabIndex: isTabStop ? 0 : -1,
    draggable: isDraggable && asset !== undefined && !isEditing,
  } as const;
}

type PartProps = Pick<CardProps, 'texts'> & { readonly asset: Asset; readonly className: string | undefined };

/** Opens the asset's folder. The grid handles the click; its address is for opening it in another tab. */
export function FolderLink({ asset, texts, className, isTabStop }: PartProps & Pick<CardProps, 'isTabStop'>) {
  if (!texts.folderOf) return null;
  const { folderId, name, path } = texts.folderOf(asset);
  return (
    <a
      href={stringifySearch({ folder: folderId }) || '?'}
      className={className}
      title={path}
      tabIndex={isTabStop ? 0 : -1}
      draggable={false}
      data-part="folder"
      data-folder={folderId ?? ''}
    >
      {name}
    </a>
  );
}

export function Badge({ asset, texts, className }: PartProps) {
  const text = texts.badgeOf?.(asset);
  return text ? <span className={className}>{text}</span> : null;
}

export function TitleInput({
  asset,
  texts,
  className,
  onSaveTitle,
  onStopEditing,
}: Pick<CardProps, 'texts' | 'onSaveTitle' | 'onStopEditing'> & {
  asset: Asset;
  className: string | undefined;
}) {
  return (
    <InlineInput
      value={asset.title}
      label={texts.title}
      maxLength={MAX_TITLE}
      isRequired
      className={className}
      onSave={(title) => onSaveTitle(asset, title)}
      onCancel={onStopEditing}
    />
  );
}
