import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { useTranslations } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { assetQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';
import { countChosen } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';
import { AssetDetails } from './AssetDetails';
import { ManyDetails } from './ManyDetails';

/** The details of the selected asset, or the fields that can be changed for several at once. */
export default function DetailsPanel() {
  const t = useTranslations('details');
  const { selection: store } = useLibrary();
  const { selection } = useSelectionState(store);
  const count = countChosen(selection);
  const [only] = selection.ids;
  if (count === 0)
    return (
      <EmptyState icon={<MousePointerClick size={24} />} title={t('nothing.title')}>
        {t('nothing.text')}
      </EmptyState>
    );
  return count === 1 && only !== undefined ? (
    <OneAsset key={only} assetId={only} />
  ) : (
    <ManyDetails count={count} />
  );
}

function OneAsset({ assetId }: { assetId: string }) {
  const { scope, cache } = useLibrary();
  const { data, error, refetch } = useQuery({
    ...assetQuery(scope, assetId),
    initialData: () => cache.find(assetId),
    initialDataUpdatedAt: 0,
  });
  if (data) return <AssetDetails asset={data} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null;
}
