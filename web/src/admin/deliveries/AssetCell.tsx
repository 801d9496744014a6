import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileImage } from 'lucide-react';
import { body } from '../../api/client';
import { scopeKey, useApi, useScope } from '../../scope/scope';
import { previewUrl } from '../../library/preview-url';
import { Thumbnails } from '../../library/Thumbnails';
import { useTranslations } from '../../i18n';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Deliveries.module.css';

/** An asset, looked up by its reference: picture, title and a link to it. */
export function AssetCell({ assetRef }: { assetRef: string }) {
  const t = useTranslations('admin.deliveries');
  const api = useApi();
  const scope = useScope();
  const { data: asset, isPending } = useQuery({
    queryKey: scopeKey(scope, 'asset', assetRef),
    queryFn: ({ signal }) =>
      body(api.GET('/assets/{assetId}', { params: { path: { assetId: assetRef } }, signal })),
    staleTime: 60_000,
    retry: false,
  });
  if (isPending) return <Skeleton width={160} />;
  if (!asset) return <span className={styles.attempts}>{t('deletedAsset')}</span>;
  return (
    <span className={styles.asset}>
      <Thumbnails sources={[previewUrl(scope.basePath, asset, 'thumb')]} icon={FileImage} />
      <Link
        className={styles.title}
        to="/clients/$clientId/assets"
        params={{ clientId: scope.clientId }}
        search={{ folder: asset.folderId ?? undefined, asset: asset.assetId }}
      >
        {asset.title}
      </Link>
    </span>
  );
}
