import { LayoutGrid, List, PanelRight } from 'lucide-react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components/Slider';
import { Breadcrumbs } from '../folders/Breadcrumbs';
import { useTranslations } from '../i18n';
import { IconButton } from '../ui/IconButton';
import { Select } from '../ui/Select';
import { UploadButton } from '../upload/UploadButton';
import { useAssetCommands } from './actions/asset-commands';
import { FilterMenu } from './filters/FilterMenu';
import type { View } from './grid/AssetGrid';
import { SORTS } from './library/asset-types';
import { useLibrary } from './library/use-library';
import styles from './LibraryToolbar.module.css';

export interface LibraryToolbarProps {
  readonly view: View;
  readonly cardSize: number;
  onViewChange: (view: View) => void;
  onCardSizeChange: (size: number) => void;
}

export const CARD_SIZES = { min: 128, normal: 184, max: 320, step: 8 } as const;

export function LibraryToolbar({ view, cardSize, onViewChange, onCardSizeChange }: LibraryToolbarProps) {
  const t = useTranslations('assets.toolbar');
  const { search, setSearch, listing, scope } = useLibrary();
  const { isDetailsOpen, setDetailsOpen } = useAssetCommands();
  return (
    <div className={styles.toolbar}>
      <Breadcrumbs />
      <div className={styles.controls}>
        {view === 'grid' && <SizeSlider value={cardSize} onChange={onCardSizeChange} />}
        <FilterMenu />
        <Select
          label={t('sort')}
          isLabelHidden
          variant="quiet"
          value={search.sort ?? 'newest'}
          options={SORTS.map((sort) => ({ id: sort, label: t(`sorts.${sort}`) }))}
          onChange={(sort) => setSearch({ sort: sort === 'newest' ? undefined : sort }, { replace: true })}
        />
        <IconButton
          className={styles.wide}
          label={t(view === 'grid' ? 'list' : 'grid')}
          icon={view === 'grid' ? <List size={18} aria-hidden /> : <LayoutGrid size={18} aria-hidden />}
          onPress={() => onViewChange(view === 'grid' ? 'list' : 'grid')}
        />
        <IconButton
          className={styles.wide}
          label={t('details')}
          shortcut="I"
          icon={<PanelRight size={18} aria-hidden />}
          isSelected={isDetailsOpen}
          onPress={() => setDetailsOpen(!isDetailsOpen)}
        />
        {scope.can('assets:write') && <UploadButton folderId={listing.folder ?? null} isCompactOnPhones />}
      </div>
    </div>
  );
}

function SizeSlider({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const t = useTranslations('assets.toolbar');
  return (
    <Slider
      aria-label={t('size')}
      className={styles.slider}
      minValue={CARD_SIZES.min}
      maxValue={CARD_SIZES.max}
      step={CARD_SIZES.step}
      value={value}
      onChange={onChange}
    >
      <SliderTrack className={styles.track}>
        <SliderThumb className={styles.thumb} />
      </SliderTrack>
    </Slider>
  );
}
