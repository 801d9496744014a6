import { useState } from 'react';
import { type Surface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useScope } from '../../scope/scope';
import { type ChosenCommand, useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { useSelectionState } from '../../library/selection-store';
import { surfacesIn, withSurface } from '../../library/surface-choice';
import { SurfaceToggles, useSurfacesText } from '../../library/SurfaceChips';
import { AssetPicture } from '../grid/AssetPicture';
import { useChosenActions } from '../selection/use-chosen-actions';
import { Section } from './AssetDetails';
import { AddTag } from './TagEditor';
import chips from './Chips.module.css';
import styles from './ManyDetails.module.css';

const STACKED = 3;

/** What was switched for all assets of a selection, although they are not all loaded. */
type Switched = Partial<Record<Surface, boolean | undefined>>;
const NONE: Switched = {};

/** Tags and surfaces of all selected assets together. */
export function ManyDetails({ count }: { count: number }) {
  const t = useTranslations('details');
  const formats = useAssetFormats();
  const scope = useScope();
  const { cache, selection: store } = useLibrary();
  const { selection } = useSelectionState(store);
  const loaded = cache.findMany(selection.ids);
  const isComplete = loaded.length === count;
  const bytes = loaded.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className={styles.many}>
      {loaded.length > 0 && (
        <div className={styles.stack} aria-hidden>
          {loaded.slice(0, STACKED).map((asset) => (
            <div key={asset.assetId}>
              <AssetPicture asset={asset} basePath={scope.basePath} size="small" isSmall />
            </div>
          ))}
        </div>
      )}
      <h2 className={styles.title}>{t('many.title', { count, number: formats.number(count) })}</h2>
      {isComplete && <p className={styles.size}>{formats.bytes(bytes)}</p>}
      <ManyActions count={count} />
      {scope.can('assets:write') && (
        <>
          <ManyTags loaded={loaded} />
          <ManySurfaces loaded={loaded} isComplete={isComplete} />
        </>
      )}
    </div>
  );
}

const SHOWN: readonly ChosenCommand[] = ['edit', 'deliver', 'download', 'copyId'];

function ManyActions({ count }: { count: number }) {
  const { run } = useAssetCommands();
  const actions = useChosenActions(count).filter(({ command }) => SHOWN.includes(command));
  return (
    <div className={styles.actions}>
      {actions.map(({ command, label, Icon }) => (
        <Button key={command} icon={<Icon size={16} aria-hidden />} onPress={() => run(command)}>
          {label}
        </Button>
      ))}
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

interface ManySurfacesProps {
  readonly loaded: readonly Asset[];
  /** Whether all of the selected assets are loaded. */
  readonly isComplete: boolean;
}

function ManySurfaces({ loaded, isComplete }: ManySurfacesProps) {
  const t = useTranslations('details');
  const surfacesText = useSurfacesText();
  const { changeChosen } = useAssetCommands();
  const { selection } = useSelectionState(useLibrary().selection);
  const [switched, setSwitched] = useState({ selection, states: NONE });
  const states = switched.selection === selection ? switched.states : NONE;
  const stateOf = (surface: Surface) => {
    if (!isComplete) return states[surface] ?? 'mixed';
    const count = loaded.filter(({ allowedSurfaces }) =>
      surfacesIn(allowedSurfaces).includes(surface),
    ).length;
    return count === loaded.length || (count > 0 && 'mixed');
  };
  const toggle = (surface: Surface, isOn: boolean) => {
    if (loaded.some(({ allowedSurfaces }) => withSurface(allowedSurfaces, surface, isOn) === null))
      return false;
    const show = (state?: boolean) =>
      setSwitched((now) => ({
        selection,
        states: { ...(now.selection === selection ? now.states : NONE), [surface]: state },
      }));
    show(isOn);
    void changeChosen({ action: 'switchSurface', surface, isOn }).then((isDone) => isDone || show());
    return true;
  };
  const isMixed = SURFACES.some((surface) => stateOf(surface) === 'mixed');
  const mixedText = t(isComplete ? 'many.mixed' : 'many.notLoaded');
  return (
    <Section title={t('surfaces')}>
      <SurfaceToggles
        label={t('surfaces')}
        stateOf={stateOf}
        onToggle={toggle}
        text={isMixed ? mixedText : surfacesText(SURFACES.filter(stateOf))}
      />
    </Section>
  );
}
