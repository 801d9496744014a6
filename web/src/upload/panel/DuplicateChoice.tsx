import { useQuery } from '@tanstack/react-query';
import { apiFor, body } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { UploadEngine } from '../engine/upload-engine';
import type { UploadRow } from '../engine/upload-item';
import styles from './Panel.module.css';

/** The same bytes are already in the library: names the asset and lets the user choose. */
export function DuplicateChoice({ row, engine }: { row: UploadRow; engine: UploadEngine }) {
  const t = useTranslations('uploads');
  const problemToast = useProblemToast();
  const title = useTitleOf(row.basePath, row.asset?.duplicateOf ?? '');
  const discard = () =>
    void engine.discardDuplicates(row.id).catch((error: unknown) => problemToast(error, t('discardFailed')));
  return (
    <>
      <p className={styles.duplicate}>{title === undefined ? t('duplicate') : t('duplicateOf', { title })}</p>
      <div className={styles.choice}>
        <Button
          onPress={() => engine.keepDuplicates(row.id)}
          aria-label={t('keepBothOf', { name: row.name })}
        >
          {t('keepBoth')}
        </Button>
        <Button onPress={discard} aria-label={t('discardOf', { name: row.name })}>
          {t('discard')}
        </Button>
      </div>
    </>
  );
}

function useTitleOf(basePath: string, assetId: string): string | undefined {
  const { data } = useQuery({
    queryKey: [basePath, 'asset', assetId],
    queryFn: ({ signal }) =>
      body(apiFor(basePath).GET('/assets/{assetId}', { params: { path: { assetId } }, signal })),
    enabled: assetId !== '',
    retry: false,
  });
  return data?.title;
}
