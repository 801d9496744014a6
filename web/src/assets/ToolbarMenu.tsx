import { EllipsisVertical, LayoutGrid, List } from 'lucide-react';
import { ASSET_SORTS } from '../api/values';
import { useTranslations } from '../i18n';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuSection, MenuTrigger } from '../ui/Menu';
import type { View } from './grid/AssetGrid';
import { useLibrary } from '../library/use-library';
import { useSort } from './use-sort';

export interface ToolbarMenuProps {
  readonly view: View;
  readonly className?: string;
  onViewChange: (view: View) => void;
}

/** What the toolbar has no room for. */
export function ToolbarMenu({ view, className, onViewChange }: ToolbarMenuProps) {
  const t = useTranslations('assets.toolbar');
  const { listing } = useLibrary();
  const [sort, setSort] = useSort();
  const other = view === 'grid' ? 'list' : 'grid';
  return (
    <MenuTrigger>
      <IconButton className={className} label={t('more')} icon={<EllipsisVertical aria-hidden />} />
      <Menu aria-label={t('more')} placement="bottom end">
        <MenuItem
          label={t(other)}
          icon={other === 'list' ? <List aria-hidden /> : <LayoutGrid aria-hidden />}
          onAction={() => onViewChange(other)}
        />
        {listing.view !== 'recent' && (
          <MenuSection
            title={t('sort')}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[sort]}
            onSelectionChange={(keys) => setSort([...keys][0])}
          >
            {ASSET_SORTS.map((each) => (
              <MenuItem key={each} id={each} label={t(`sorts.${each}`)} />
            ))}
          </MenuSection>
        )}
      </Menu>
    </MenuTrigger>
  );
}
