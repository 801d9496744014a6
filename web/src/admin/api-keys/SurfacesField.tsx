import type { Surface } from '../../api/values';
import { SurfaceChips } from '../../library/SurfaceChips';
import { useTranslations } from '../../i18n';
import field from '../../ui/Field.module.css';

interface SurfacesFieldProps {
  /** Null: everywhere. */
  value: Surface[] | null;
  onChange: (value: Surface[] | null) => void;
}

/** Where a key may use assets. */
export function SurfacesField({ value, onChange }: SurfacesFieldProps) {
  const t = useTranslations('admin.apiKeys');
  return (
    <div className={field.field}>
      <span className={field.label}>{t('surfaces')}</span>
      <SurfaceChips
        label={t('surfaces')}
        surfaces={value ?? []}
        onChange={(change) => {
          const surfaces = change(value ?? []);
          onChange(surfaces.length > 0 ? surfaces : null);
        }}
      />
    </div>
  );
}
