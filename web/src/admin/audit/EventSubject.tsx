import { Link } from '@tanstack/react-router';
import { Activity, FileImage, Folder, KeyRound, Trash2, User, Waypoints } from 'lucide-react';
import { useSession } from '../../api/use-session';
import { previewUrl } from '../../library/preview-url';
import { Thumbnails } from '../../library/Thumbnails';
import { useTranslations } from '../../i18n';
import type { AuditEvent } from './audit-events';
import styles from './EventSubject.module.css';
import { useAuditTexts } from './use-audit-texts';

/** The subject of a refused sign-in with an address that no user has. */
const UNKNOWN_USER = 'unknown';

const ICONS: Readonly<Record<string, typeof Folder>> = {
  asset: FileImage,
  delivery: FileImage,
  api_key: KeyRound,
  folder: Folder,
  reference: FileImage,
  target: Waypoints,
  trash_batch: Trash2,
  user: User,
};

/** The picture of the asset, or an icon. */
export function SubjectMark({ event, isSmall }: { event: AuditEvent; isSmall?: boolean }) {
  const { side } = useSession();
  const basePath = side === 'portal' ? '/portal' : `/admin/clients/${event.clientId}`;
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
  const { side, can } = useSession();
  const { name, state, asset, targetName } = event.subject;
  const params = { clientId: event.clientId ?? '' };
  const shown = name ?? (event.subjectId === UNKNOWN_USER ? t('unknownUser') : t('unnamed'));
  const canOpen = can('assets:read');
  const isPortal = side === 'portal';
  const destination = targetName === null ? null : t('toTarget', { name: targetName });
  const named =
    state === 'live' && (asset || folderOf(event)) && canOpen ? (
      <Link
        {...(isPortal ? { to: '/library' } : { to: '/clients/$clientId/assets', params })}
        search={
          asset
            ? { folder: asset.folderId ?? undefined, details: asset.assetId }
            : { folder: folderOf(event) }
        }
      >
        {shown}
      </Link>
    ) : state === 'live' && event.subjectKind === 'target' && can('targets:read') ? (
      <Link to="/clients/$clientId/targets" params={params}>
        {shown}
      </Link>
    ) : state === 'trashed' && canOpen ? (
      <Link {...(isPortal ? { to: '/library/trash' } : { to: '/clients/$clientId/trash', params })}>
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

/** Which fields an edit changed, why a delivery failed, or from where somebody signed in. */
export function SubjectNote({ event }: { event: AuditEvent }) {
  const t = useTranslations('admin.audit');
  const texts = useAuditTexts();
  const { network, attempts } = event.after ?? {};
  if (typeof network === 'string')
    return (
      <span className={styles.note}>
        {t('fromNetwork', { network, attempts: typeof attempts === 'number' ? attempts : 1 })}
      </span>
    );
  if (event.action === 'asset.update')
    return <span className={styles.note}>{texts.fields(Object.keys(event.after ?? {}))}</span>;
  const reason = event.after?.['detail'];
  return typeof reason === 'string' && reason !== '' ? <span className={styles.reason}>{reason}</span> : null;
}
