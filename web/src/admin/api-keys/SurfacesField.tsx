import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { SURFACES, type Surface } from '../../app/search-params';
import { useTranslations } from '../../i18n';
import { Checkbox } from '../../ui/Checkbox';
import field from '../../ui/Field.module.css';
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
          className={styles.group}
          value={value}
          isRequired
          onChange={(chosen) => onChange(SURFACES.filter((surface) => chosen.includes(surface)))}
        >
          <Label className={field.label}>{t('surfaces')}</Label>
          <div className={styles.list}>
            {SURFACES.map((surface) => (
              <Checkbox key={surface} value={surface}>
                {surfaceName(surface)}
              </Checkbox>
            ))}
          </div>
        </CheckboxGroup>
      )}
    </div>
  );
}
