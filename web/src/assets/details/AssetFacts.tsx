import { fileTypeName } from '../../api/file-types';
import { useTranslations } from '../../i18n';
import { CopyField } from '../../ui/CopyField';
import { useAssetCommands } from '../actions/asset-commands';
import { useAssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import { useLibrary } from '../../library/use-library';
import { useFolderCommands } from '../../folders/folder-commands';
import styles from './AssetFacts.module.css';

export function AssetFacts({ asset }: { asset: Asset }) {
  const t = useTranslations('details.facts');
  const formats = useAssetFormats();
  const { tree } = useLibrary();
  const { open } = useAssetCommands();
  const folders = useFolderCommands();
  const folder = asset.folderId === null ? t('top') : tree?.byId.get(asset.folderId)?.path;
  const facts: [label: string, value: string][] = [
    [t('type'), fileTypeName(asset.mimeType)],
    [t('dimensions'), formats.pixels(asset)],
    ...(asset.durationMs === null
      ? []
      : [[t('duration'), formats.duration(asset.durationMs)] as [string, string]]),
    [t('size'), formats.bytes(asset.sizeBytes)],
    ...(asset.takenAt === null ? [] : [[t('taken'), formats.dateTime(asset.takenAt)] as [string, string]]),
    [t('added'), formats.dateTime(asset.createdAt)],
    [t('changed'), formats.dateTime(asset.updatedAt)],
  ];
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('file')}</dt>
        <dd>{asset.originalFilename}</dd>
        <dt>{t('folder')}</dt>
        <dd>
          <button type="button" className={styles.link} onClick={() => folders.open(asset.folderId)}>
            {folder}
          </button>
        </dd>
        {facts.map(([label, value]) => [
          <dt key={label}>{label}</dt>,
          <dd key={`${label} value`}>{value}</dd>,
        ])}
        {asset.duplicateOf && (
          <>
            <dt>{t('duplicate')}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => open(asset.duplicateOf!)}>
                {t('duplicateOpen')}
              </button>
            </dd>
          </>
        )}
      </dl>
      <CopyField label={t('assetRef')} value={asset.assetRef} />
    </>
  );
}
