import { useQuery } from '@tanstack/react-query';
import { clientsQuery } from '../../scope/clients-query';
import { useTranslations } from '../../i18n';
import { CheckboxGroup } from '../../ui/CheckboxGroup';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import styles from './ClientsField.module.css';

export interface ClientsFieldProps {
  /** Null: all clients. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
  /** Portal roles belong to exactly one client. */
  isSingle: boolean;
}

/** The clients that a user or a key has access to. */
export function ClientsField({ value, onChange, isSingle }: ClientsFieldProps) {
  const t = useTranslations('admin.clientsField');
  const { data: clients = [] } = useQuery(clientsQuery);
  const options = clients.map(({ clientId, name }) => ({ id: clientId, label: name }));
  if (isSingle) {
    return (
      <Select
        label={t('client')}
        missing={t('choose')}
        placeholder={t('choose')}
        options={options}
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
        <CheckboxGroup label={t('clients')} options={options} value={value} onChange={onChange} />
      )}
    </div>
  );
}
