import { InlineInput } from '../../ui/InlineInput';
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
    'data-index': index,
    'data-asset': asset?.assetId,
    tabIndex: isTabStop ? 0 : -1,
    draggable: isDraggable && asset !== undefined && !isEditing,
  } as const;
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
