import type { Surface } from '../../api/values';
import { useTranslations } from '../../i18n';
import { surfacesIn, withSurface } from '../../library/surface-choice';
import { SurfaceToggles, useSurfacesText } from '../../library/SurfaceChips';

/** Null: none is chosen yet. */
type Surfaces = readonly Surface[] | null;

export interface SurfaceChoiceProps {
  readonly label: string;
  readonly surfaces: Surfaces;
  /** The change applies to what is chosen by then: clicks may be faster than the page. */
  onChange: (change: (surfaces: Surfaces) => Surfaces) => void;
}

/** Where all of the assets may be used. If they differ, the choice starts with nothing, so that none gets more by accident. */
export function SurfaceChoice({ label, surfaces, onChange }: SurfaceChoiceProps) {
  const t = useTranslations('details.editMany');
  const surfacesText = useSurfacesText();
  const chosen = surfacesIn(surfaces);
  const toggle = (surface: Surface, isOn: boolean) => {
    if (!withSurface(surfaces, surface, isOn)) return false;
    onChange((now) => withSurface(now, surface, isOn) ?? now);
    return true;
  };
  return (
    <SurfaceToggles
      label={label}
      stateOf={(surface) => chosen.includes(surface)}
      onToggle={toggle}
      text={surfaces === null ? t('chooseSurfaces') : surfacesText(surfaces)}
    />
  );
}
