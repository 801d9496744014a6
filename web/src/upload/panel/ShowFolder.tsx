import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { foldersQuery } from '../../library/library-queries';
import { commonFolder, folderTree } from '../../library/folder-tree';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import type { UploadSnapshot } from '../engine/upload-engine';
import styles from './Panel.module.css';

/** Leads to the folder that contains everything uploaded, unless the page shows it already. */
export function ShowFolder({ filled }: Pick<UploadSnapshot, 'filled'>) {
  const [only, ...others] = filled;
  if (!only || others.length > 0) return null;
  const [basePath, folderIds] = only;
  return <Offer basePath={basePath} folderIds={folderIds} />;
}

function Offer({ basePath, folderIds }: { basePath: string; folderIds: ReadonlySet<string | null> }) {
  const t = useTranslations('uploads');
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data } = useQuery(foldersQuery({ basePath }));
  const isKnown =
    data && [...folderIds].every((id) => id === null || data.folders.some(({ folderId }) => folderId === id));
  if (!isKnown) return null;
  const folder = commonFolder(folderTree(data), folderIds) ?? undefined;
  const page = basePath === '/portal' ? '/library' : `${basePath.replace('/admin', '')}/assets`;
  if (pathname === page && (search as { folder?: string }).folder === folder) return null;
  const href = folder === undefined ? page : `${page}?folder=${folder}`;
  return (
    <Button className={styles.showFolder} onPress={() => void navigate({ href })}>
      {t('showFolder')}
    </Button>
  );
}
