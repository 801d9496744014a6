import { Minus } from 'lucide-react';
import { type Surface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { Chip, ToggleChip } from '../../ui/Chip';
import { useScope } from '../../app/scope';
import { useAssetCommands } from '../actions/asset-commands';
import { useFilterLabels } from '../filters/filter-labels';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import { useLibrary } from '../library/use-library';
import { useSelectionState } from '../selection/selection-store';
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
  const labels = useFilterLabels();
  const { changeChosen } = useAssetCommands();
  const stateOf = (surface: Surface) => {
    const having = loaded.filter(({ allowedSurfaces }) => allowedSurfaces.includes(surface)).length;
    return having === 0 ? 'none' : having === loaded.length ? 'all' : 'some';
  };
  const on = SURFACES.filter((surface) => stateOf(surface) === 'all');
  const isMixed = SURFACES.some((surface) => stateOf(surface) === 'some');
  const toggle = (surface: Surface, isOn: boolean) =>
    void changeChosen({
      action: 'setSurfaces',
      allowedSurfaces: SURFACES.filter((each) => (each === surface ? isOn : on.includes(each))),
    });
  return (
    <Section title={t('surfaces')}>
      <div className={chips.chips}>
        {SURFACES.map((surface) => (
          <ToggleChip
            key={surface}
            icon={stateOf(surface) === 'some' && <Minus aria-hidden />}
            isSelected={on.includes(surface)}
            onChange={(isOn) => toggle(surface, isOn)}
          >
            {labels.surface(surface)}
          </ToggleChip>
        ))}
      </div>
      <p className={chips.hint}>
        {t(isMixed ? 'many.mixed' : on.length === 0 ? 'anySurface' : 'onlySurfaces')}
      </p>
    </Section>
  );
}
