import { type Surface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { Chip } from '../../ui/Chip';
import { useScope } from '../../app/scope';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import { useLibrary } from '../library/use-library';
import { useSelectionState } from '../selection/selection-store';
import { surfacesIn, withSurface } from '../surfaces/surface-choice';
import { SurfaceToggles, useSurfacesText } from '../surfaces/SurfaceChips';
import { AssetPicture } from '../grid/AssetPicture';
import { Section } from './AssetDetails';
import { AddTag } from './TagEditor';
import chips from './Chips.module.css';
import styles from './ManyDetails.module.css';

const STACKED = 3;

/** Tags and surfaces of all selected assets together. */
export function ManyDetails({ count }: { count: number }) {
  const t = useTranslations('details');
  const formats = useAssetFormats();
  const scope = useScope();
  const { cache, selection: store } = useLibrary();
  const { selection } = useSelectionState(store);
  const loaded = [...selection.ids].slice(0, 500).flatMap((id) => cache.find(id) ?? []);
  const bytes = loaded.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className={styles.many}>
      <div className={styles.stack} aria-hidden>
        {loaded.slice(0, STACKED).map((asset) => (
          <div key={asset.assetId}>
            <AssetPicture asset={asset} basePath={scope.basePath} size="small" isSmall />
          </div>
        ))}
      </div>
      <h2 className={styles.title}>{t('many.title', { count, number: formats.number(count) })}</h2>
      {loaded.length === count && <p className={styles.size}>{formats.bytes(bytes)}</p>}
      {scope.can('assets:write') && (
        <>
          <ManyTags loaded={loaded} />
          <ManySurfaces loaded={loaded} />
        </>
      )}
    </div>
  );
}

function ManyTags({ loaded }: { loaded: readonly Asset[] }) {
  const t = useTranslations('details');
  const { changeChosen } = useAssetCommands();
  const counts = new Map<string, number>();
  for (const { tags } of loaded) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return (
    <Section title={t('tags')}>
      <div className={chips.chips}>
        {[...counts].map(([tag, count]) => (
          <Chip
            key={tag}
            removeLabel={t('many.removeTag', { tag })}
            onRemove={() => void changeChosen({ action: 'removeTags', tags: [tag] })}
          >
            {tag}
            {count < loaded.length && <span className={styles.some}> {count}</span>}
          </Chip>
        ))}
        <AddTag onAdd={(tags) => void changeChosen({ action: 'addTags', tags })} />
      </div>
    </Section>
  );
}

function ManySurfaces({ loaded }: { loaded: readonly Asset[] }) {
  const t = useTranslations('details');
  const surfacesText = useSurfacesText();
  const { changeChosen } = useAssetCommands();
  const stateOf = (surface: Surface) => {
    const count = loaded.filter(({ allowedSurfaces }) =>
      surfacesIn(allowedSurfaces).includes(surface),
    ).length;
    return count === loaded.length || (count > 0 && 'mixed');
  };
  const toggle = (surface: Surface, isOn: boolean) => {
    if (loaded.some(({ allowedSurfaces }) => withSurface(allowedSurfaces, surface, isOn) === null))
      return false;
    void changeChosen({ action: 'switchSurface', surface, isOn });
    return true;
  };
  const isMixed = SURFACES.some((surface) => stateOf(surface) === 'mixed');
  return (
    <Section title={t('surfaces')}>
      <SurfaceToggles
        label={t('surfaces')}
        stateOf={stateOf}
        onToggle={toggle}
        text={isMixed ? t('many.mixed') : surfacesText(loaded[0]?.allowedSurfaces ?? [])}
      />
    </Section>
  );
}
