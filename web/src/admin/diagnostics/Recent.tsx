import { useTranslations } from '../../i18n';
import { ToggleChip } from '../../ui/Chip';
import styles from './Diagnostics.module.css';

interface RecentProps {
  ids: readonly string[];
  selected: string | undefined;
  onChoose: (id: string) => void;
}

export function Recent({ ids, selected, onChoose }: RecentProps) {
  const t = useTranslations('admin.diagnostics');
  if (ids.length === 0) return null;
  return (
    <div className={styles.recent}>
      {t('recent')}
      {ids.map((id) => (
        <ToggleChip key={id} isSelected={id === selected} onChange={() => onChoose(id)}>
          {id}
        </ToggleChip>
      ))}
    </div>
  );
}
