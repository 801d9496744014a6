import { useQuery } from '@tanstack/react-query';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { usagesQuery } from '../../library/library-queries';
import { UsageList } from '../../usages/UsageList';
import styles from './Chips.module.css';

export function AssetUsages({ assetId }: { assetId: string }) {
  const t = useTranslations('details.usages');
  const { data, error } = useQuery(usagesQuery(useScope(), assetId));
  if (error) return <ProblemNote error={error} />;
  if (!data) return <Skeleton height={32} />;
  return data.usages.length === 0 ? (
    <p className={styles.hint}>{t('none')}</p>
  ) : (
    <UsageList usages={data.usages} />
  );
}
