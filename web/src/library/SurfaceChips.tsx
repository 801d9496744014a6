import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { type Surface, SURFACES } from '../api/values';
import { useTranslations } from '../i18n';
import { useFormat } from '../i18n/use-format';
import { ToggleChip } from '../ui/Chip';
import { useFilterLabels } from './filter-labels';
import { surfacesIn, withSurface } from './surface-choice';
import styles from './SurfaceChips.module.css';

export interface SurfaceChipsProps {
  readonly label: string;
  /** Empty: all. */
  readonly surfaces: readonly Surface[];
  /** The change applies to what is on by then: clicks may be faster than the page. */
  onChange: (change: (surfaces: readonly Surface[]) => Surface[]) => void;
}

/** Where something may be used: all that are on are lit, and a sentence says the same. */
export function SurfaceChips({ label, surfaces, onChange }: SurfaceChipsProps) {
  const allowed = surfacesIn(surfaces);
  const toggle = (surface: Surface, isOn: boolean) => {
    if (!withSurface(surfaces, surface, isOn)) return false;
    onChange((now) => withSurface(now, surface, isOn) ?? [...now]);
    return true;
  };
  return (
    <SurfaceToggles
      label={label}
      stateOf={(surface) => allowed.includes(surface)}
      onToggle={toggle}
      text={useSurfacesText()(surfaces)}
    />
  );
}

export interface SurfaceTogglesProps {
  readonly label: string;
  stateOf: (surface: Surface) => boolean | 'mixed';
  /** False: at least one must stay on. */
  onToggle: (surface: Surface, isOn: boolean) => boolean;
  readonly text: string;
}

export function SurfaceToggles({ label, stateOf, onToggle, text }: SurfaceTogglesProps) {
  const t = useTranslations('assets');
  const labels = useFilterLabels();
  const [isRefused, setRefused] = useState(false);
  return (
    <div className={styles.choice}>
      <div className={styles.chips} role="group" aria-label={label}>
        {SURFACES.map((surface) => {
          const state = stateOf(surface);
          const Icon = state === 'mixed' ? Minus : Check;
          return (
            <ToggleChip
              key={surface}
              icon={state && <Icon aria-hidden />}
              isSelected={state}
              onChange={(isOn) => setRefused(!onToggle(surface, isOn))}
            >
              {labels.surface(surface)}
            </ToggleChip>
          );
        })}
      </div>
      <p className={styles.text} role="status">
        {text}
        {isRefused && ` ${t('edit.atLeastOne')}`}
      </p>
    </div>
  );
}

/** "Everywhere", or "Only on: Website and Social media". */
export function useSurfacesText(): (surfaces: readonly Surface[]) => string {
  const t = useTranslations('filters');
  const labels = useFilterLabels();
  const format = useFormat();
  return (surfaces) => {
    const allowed = surfacesIn(surfaces);
    return allowed.length === SURFACES.length
      ? t('everywhere')
      : t('onlyOn', { places: format.list(allowed.map(labels.surface)) });
  };
}
