import { CaptionsOff } from 'lucide-react';
import { useTranslations } from '../../i18n';
import { InlineInput } from '../InlineInput';
import { type Asset, lacksAltText } from '../library/asset-types';
import type { CardProps } from './AssetCard';

const NO_ALT_ICON = <CaptionsOff size={14} aria-hidden />;
export const MAX_TITLE = 200;

/** What the grid needs to find a card or row, and assistive technology to read it. */
export function useRowAttributes({ index, asset, isChosen, isTabStop, isEditing, isDraggable }: CardProps) {
  const t = useTranslations('assets');
  return {
    role: 'row',
    'aria-selected': isChosen,
    'aria-label': asset?.title ?? t('card.loading'),
    'data-index': index,
    'data-asset': asset?.assetId,
    tabIndex: isTabStop ? 0 : -1,
    draggable: isDraggable && asset !== undefined && !isEditing,
  } as const;
}

export function TitleInput({
  asset,
  className,
  onSaveTitle,
  onStopEditing,
}: Pick<CardProps, 'onSaveTitle' | 'onStopEditing'> & { asset: Asset; className: string | undefined }) {
  const t = useTranslations('assets');
  return (
    <InlineInput
      value={asset.title}
      label={t('card.title')}
      maxLength={MAX_TITLE}
      isRequired
      className={className}
      onSave={(title) => onSaveTitle(asset, title)}
      onCancel={onStopEditing}
    />
  );
}

/** Shown only where the alt text is missing. */
export function NoAltText({ asset, className }: { asset: Asset; className: string | undefined }) {
  const t = useTranslations('assets');
  if (!lacksAltText(asset)) return null;
  return (
    <span className={className} title={t('card.noAltText')}>
      {NO_ALT_ICON}
      <span className="visually-hidden">{t('card.noAltText')}</span>
    </span>
  );
}
