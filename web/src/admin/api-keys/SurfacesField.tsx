import { type Surface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import { CheckboxGroup } from '../../ui/CheckboxGroup';
import { Switch } from '../../ui/Switch';
import styles from '../shared/ClientsField.module.css';

interface SurfacesFieldProps {
  /** Null: all surfaces. */
  value: Surface[] | null;
  onChange: (value: Surface[] | null) => void;
}

/** The surfaces a key may use assets for. */
export function SurfacesField({ value, onChange }: SurfacesFieldProps) {
  const t = useTranslations('admin.apiKeys');
  const surfaceName = useTranslations('admin.surfaces');
  return (
    <div className={styles.field}>
      <Switch
        isSelected={value === null}
        onChange={(isAll) => onChange(isAll ? null : [...SURFACES])}
        description={t('allSurfacesHint')}
      >
        {t('allSurfaces')}
      </Switch>
      {value !== null && (
        <CheckboxGroup
          label={t('surfaces')}
          options={SURFACES.map((id) => ({ id, label: surfaceName(id) }))}
          value={value}
          onChange={onChange}
          isRequired
        />
      )}
    </div>
  );
}
