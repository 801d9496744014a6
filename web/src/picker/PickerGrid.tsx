import { Check, Folder, Images, SearchX } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { useScope } from '../scope/scope';
import { useAssetFormats } from '../library/formats';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { Skeleton } from '../ui/Skeleton';
import styles from './Picker.module.css';
import { PickerPicture } from './PickerPicture';
import type { usePickerAssets } from './use-picker-assets';

export interface PickerGridProps {
  assets: ReturnType<typeof usePickerAssets>;
  isSearch: boolean;
  isMultiple: boolean;
  /** By `assetRef`. */
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  onOpenFolder: (folderId: string) => void;
}

export function PickerGrid({
  assets,
  isSearch,
  isMultiple,
  chosen,
  onChoose,
  onOpenFolder,
}: PickerGridProps) {
  const t = useTranslations('picker');
  const { basePath } = useScope();
  const formats = useAssetFormats();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = assets;
  const end = useSeen(hasNextPage && !isFetchingNextPage, () => void fetchNextPage());
  if (!data) return <Placeholders />;
  const all = data.pages.flatMap((page) => page.assets);
  const folders = isSearch ? [] : (data.pages[0]?.folders ?? []);
  return (
    <>
      {folders.length > 0 && (
        <ul className={styles.folders} aria-label={t('folders')}>
          {folders.map(({ folderId, name }) => (
            <li key={folderId}>
              <Button
                isWide
                className={styles.folder}
                icon={<Folder aria-hidden />}
                onPress={() => onOpenFolder(folderId)}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {all.length === 0 && (
        <EmptyState
          icon={isSearch ? <SearchX aria-hidden /> : <Images aria-hidden />}
          title={isSearch ? t('nothingFound') : t('nothingHere')}
        >
          {isSearch ? t('nothingFoundText') : t('nothingHereText')}
        </EmptyState>
      )}
      <ListBox
        aria-label={t('assets')}
        className={styles.grid}
        layout="grid"
        selectionMode={isMultiple ? 'multiple' : 'single'}
        selectionBehavior="toggle"
        selectedKeys={chosen}
        onSelectionChange={(keys) => {
          const shown = new Set(all.map(({ assetRef }) => assetRef));
          const others = isMultiple ? [...chosen].filter((ref) => !shown.has(ref)) : [];
          onChoose(new Set([...others, ...(keys === 'all' ? shown : keys)].map(String)));
        }}
      >
        {all.map((asset) => (
          <ListBoxItem
            key={asset.assetRef}
            id={asset.assetRef}
            textValue={asset.title}
            className={styles.card}
          >
            <PickerPicture asset={asset} basePath={basePath} />
            <span className={styles.check} aria-hidden>
              <Check size={14} strokeWidth={3} />
            </span>
            <span className={styles.caption}>{asset.title}</span>
            <span className={styles.facts}>{formats.facts(asset)}</span>
          </ListBoxItem>
        ))}
      </ListBox>
      <div ref={end} className={styles.end} />
      {isFetchingNextPage && <Placeholders />}
    </>
  );
}

function Placeholders() {
  return (
    <div className={styles.grid} aria-hidden>
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className={styles.placeholder}>
          <Skeleton height="100%" radius={12} />
        </span>
      ))}
    </div>
  );
}

/** Calls the function when the element scrolls into view. */
function useSeen(isActive: boolean, onSeen: () => void) {
  const element = useRef<HTMLDivElement>(null);
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    if (!isActive || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen(), {
      rootMargin: '400px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isActive]);
  return element;
}
