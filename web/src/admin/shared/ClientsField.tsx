import { useQuery } from '@tanstack/react-query';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';
import { clientsQuery } from '../../app/clients-query';
import { useTranslations } from '../../i18n';
import { Checkbox } from '../../ui/Checkbox';
import field from '../../ui/Field.module.css';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import styles from './ClientsField.module.css';

export interface ClientsFieldProps {
  /** Null: all clients. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
  /** Roles of the portal belong to exactly one client. */
  isSingle: boolean;
}

/** Which clients a user or a key may reach. */
export function ClientsField({ value, onChange, isSingle }: ClientsFieldProps) {
  const t = useTranslations('admin.clientsField');
  const { data: clients = [] } = useQuery(clientsQuery);
  if (isSingle) {
    return (
      <Select
        label={t('client')}
        isRequired
        placeholder={t('choose')}
        options={clients.map(({ clientId, name }) => ({ id: clientId, label: name }))}
        value={value?.[0] ?? null}
        onChange={(clientId) => onChange([clientId])}
      />
    );
  }
  return (
    <div className={styles.field}>
      <Switch
        isSelected={value === null}
        onChange={(isAll) => onChange(isAll ? null : [])}
        description={t('allHint')}
      >
        {t('all')}
      </Switch>
      {value !== null && (
        <CheckboxGroup className={styles.group} value={value} onChange={onChange}>
          <Label className={field.label}>{t('clients')}</Label>
          <div className={styles.list}>
            {clients.map(({ clientId, name }) => (
              <Checkbox key={clientId} value={clientId}>
                {name}
              </Checkbox>
            ))}
          </div>
        </CheckboxGroup>
      )}
    </div>
  );
}
