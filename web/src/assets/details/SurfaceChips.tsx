import { Check } from 'lucide-react';
import { type Surface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { Chip, ToggleChip } from '../../ui/Chip';
import { useFilterLabels } from '../filters/filter-labels';
import styles from './Chips.module.css';

export interface SurfaceChipsProps {
  readonly surfaces: readonly Surface[];
  readonly isReadOnly: boolean;
  onChange: (surfaces: Surface[]) => void;
}

/** The surfaces on which an asset may be used. None selected means all of them. */
export function SurfaceChips({ surfaces, isReadOnly, onChange }: SurfaceChipsProps) {
  const t = useTranslations('details');
  const labels = useFilterLabels();
  const toggle = (surface: Surface, isOn: boolean) =>
    onChange(SURFACES.filter((each) => (each === surface ? isOn : surfaces.includes(each))));
  return (
    <>
      <div className={styles.chips}>
        {SURFACES.map((surface) => {
          const isOn = surfaces.includes(surface);
          if (isReadOnly) return isOn && <Chip key={surface}>{labels.surface(surface)}</Chip>;
          return (
            <ToggleChip
              key={surface}
              icon={isOn && <Check aria-hidden />}
              isSelected={isOn}
              onChange={(isSelected) => toggle(surface, isSelected)}
            >
              {labels.surface(surface)}
            </ToggleChip>
          );
        })}
      </div>
      <p className={styles.hint}>{t(surfaces.length === 0 ? 'anySurface' : 'onlySurfaces')}</p>
    </>
  );
}
