import { ChevronDown, LayoutGrid, List, PanelRight } from 'lucide-react';
import { ASSET_SORTS } from '../api/values';
import { shortcutHint } from '../ui/shortcuts';
import { Breadcrumbs } from '../folders/Breadcrumbs';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuTrigger } from '../ui/Menu';
import { UploadButton } from '../upload/UploadButton';
import { useAssetCommands } from './actions/asset-commands';
import { FilterMenu } from './filters/FilterMenu';
import type { View } from './grid/AssetGrid';
import { useLibrary } from '../library/use-library';
import { ToolbarMenu } from './ToolbarMenu';
import { useSort } from './use-sort';
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
  const { listing, scope } = useLibrary();
  const { isDetailsOpen, setDetailsOpen } = useAssetCommands();
  return (
    <header className={styles.toolbar}>
      <Breadcrumbs />
      <div className={styles.controls}>
        {view === 'grid' && <SizeSlider value={cardSize} onChange={onCardSizeChange} />}
        <FilterMenu />
        {listing.view !== 'recent' && <SortMenu />}
        <IconButton
          className={styles.wide}
          label={t(view === 'grid' ? 'list' : 'grid')}
          icon={view === 'grid' ? <List size={18} aria-hidden /> : <LayoutGrid size={18} aria-hidden />}
          onPress={() => onViewChange(view === 'grid' ? 'list' : 'grid')}
        />
        <IconButton
          className={styles.panel}
          label={t('details')}
          shortcut={shortcutHint('details')}
          icon={<PanelRight size={18} aria-hidden />}
          isSelected={isDetailsOpen}
          onPress={() => setDetailsOpen(!isDetailsOpen)}
        />
        <ToolbarMenu className={styles.narrow} view={view} onViewChange={onViewChange} />
        {scope.can('assets:write') && <UploadButton folderId={listing.folder ?? null} isCompactIfNarrow />}
      </div>
    </header>
  );
}

function SortMenu() {
  const t = useTranslations('assets.toolbar');
  const [sort, setSort] = useSort();
  return (
    <MenuTrigger>
      <Button variant="ghost" className={styles.wide}>
        <span className="visually-hidden">{t('sort')} </span>
        <span className={styles.sort}>
          {t(`sorts.${sort}`)}
          <ChevronDown size={16} aria-hidden />
        </span>
      </Button>
      <Menu
        aria-label={t('sort')}
        placement="bottom end"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[sort]}
        onAction={setSort}
      >
        {ASSET_SORTS.map((each) => (
          <MenuItem key={each} id={each} label={t(`sorts.${each}`)} />
        ))}
      </Menu>
    </MenuTrigger>
  );
}

function SizeSlider({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const t = useTranslations('assets.toolbar');
  return (
    <input
      type="range"
      aria-label={t('size')}
      className={styles.slider}
      min={CARD_SIZES.min}
      max={CARD_SIZES.max}
      step={CARD_SIZES.step}
      value={value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
    />
  );
}
