import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiFor, body } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTranslations } from '../../i18n';
import type { UploadedCopy } from '../engine/copies';
import styles from './Copies.module.css';

/** Links to the asset that was there before the copy. */
export function ExistingAsset({ copy: { basePath, duplicateOf } }: { copy: UploadedCopy }) {
  const t = useTranslations('uploads.copies');
  const { data, error } = useQuery({
    queryKey: [basePath, 'asset', duplicateOf],
    queryFn: ({ signal }) =>
      body(apiFor(basePath).GET('/assets/{assetId}', { params: { path: { assetId: duplicateOf } }, signal })),
    retry: false,
  });
  const isGone = error instanceof ApiProblem && error.code === 'asset_not_found';
  return (
    <p className={styles.existing}>
      {isGone
        ? t('gone')
        : t.rich('sameAs', {
            link: () => (
              <Link {...libraryAt(basePath)} search={{ asset: duplicateOf }} className={styles.link}>
                {data?.title ?? t('existing')}
              </Link>
            ),
          })}
    </p>
  );
}

function libraryAt(basePath: string) {
  const clientId = /^\/admin\/clients\/([^/]+)$/.exec(basePath)?.[1];
  return clientId === undefined
    ? ({ to: '/library' } as const)
    : ({ to: '/clients/$clientId/assets', params: { clientId: decodeURIComponent(clientId) } } as const);
}
