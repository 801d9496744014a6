import { Link } from '@tanstack/react-router';
import { Activity, FileImage, Folder, Trash2, Waypoints } from 'lucide-react';
import { useScope } from '../../scope/scope';
import { previewUrl } from '../../library/preview-url';
import { Thumbnails } from '../../library/Thumbnails';
import { useTranslations } from '../../i18n';
import type { AuditEvent } from './audit-events';
import styles from './EventSubject.module.css';
import { useAuditTexts } from './use-audit-texts';

const ICONS: Readonly<Record<string, typeof Folder>> = {
  asset: FileImage,
  delivery: FileImage,
  folder: Folder,
  reference: FileImage,
  target: Waypoints,
  trash_batch: Trash2,
};

/** The picture of the asset, or an icon. */
export function SubjectMark({ event, isSmall }: { event: AuditEvent; isSmall?: boolean }) {
  const { basePath } = useScope();
  const { asset, state } = event.subject;
  return (
    <Thumbnails
      sources={asset && state === 'live' ? [previewUrl(basePath, asset, 'thumb')] : []}
      icon={ICONS[event.subjectKind] ?? Activity}
      size={isSmall ? 'small' : 'medium'}
    />
  );
}

/** What the event is about, with a link to where it can be seen. */
export function SubjectName({ event }: { event: AuditEvent }) {
  const t = useTranslations('admin.audit');
  const { clientId, can } = useScope();
  const { name, state, asset, targetName } = event.subject;
  const params = { clientId };
  const shown = name ?? t('unnamed');
  const canOpen = can('assets:read');
  const destination = targetName === null ? null : t('toTarget', { name: targetName });
  const named =
    state === 'live' && asset && canOpen ? (
      <Link
        to="/clients/$clientId/assets"
        params={params}
        search={{ folder: asset.folderId ?? undefined, details: asset.assetId }}
      >
        {shown}
      </Link>
    ) : state === 'live' && event.subjectKind === 'target' && can('targets:read') ? (
      <Link to="/clients/$clientId/targets" params={params}>
        {shown}
      </Link>
    ) : state === 'live' && folderOf(event) && canOpen ? (
      <Link to="/clients/$clientId/assets" params={params} search={{ folder: folderOf(event) }}>
        {shown}
      </Link>
    ) : state === 'trashed' && canOpen ? (
      <Link to="/clients/$clientId/trash" params={params}>
        {shown}
      </Link>
    ) : (
      shown
    );
  return (
    <>
      <bdi className={styles.name}>{named}</bdi>
      {state === 'trashed' && <span> {t('inTrash')}</span>}
      {state === 'deleted' && name !== null && <span> {t('isDeleted')}</span>}
      {destination && <span> {destination}</span>}
    </>
  );
}

/** The folder itself, or the one that was restored. */
function folderOf({ subjectKind, subjectId, after }: AuditEvent): string | undefined {
  if (subjectKind === 'folder') return subjectId;
  const restored = after?.['folderId'];
  return subjectKind === 'trash_batch' && typeof restored === 'string' ? restored : undefined;
}

/** Which fields an edit changed, or why a delivery failed. */
export function SubjectNote({ event }: { event: AuditEvent }) {
  const texts = useAuditTexts();
  if (event.action === 'asset.update')
    return <span className={styles.note}>{texts.fields(Object.keys(event.after ?? {}))}</span>;
  const reason = event.after?.['detail'];
  return typeof reason === 'string' && reason !== '' ? <span className={styles.reason}>{reason}</span> : null;
}
