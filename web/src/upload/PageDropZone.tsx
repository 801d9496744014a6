import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../scope/scope';
import { useTranslations } from '../i18n';
import { classNames } from '../ui/class-names';
import styles from './PageDropZone.module.css';
import { useFileDrop } from './use-file-drop';
import { useFilePaste } from './use-file-paste';
import { useUploads } from './UploadProvider';

export interface PageDropZoneProps {
  folderId: string | null;
  folderName: string;
  className?: string;
  children: ReactNode;
}

/**
 * The main part of the page. Accepts files that are dropped anywhere on the page or pasted. Folders and tiles inside it
 * handle their own drops.
 */
export function PageDropZone({ folderId, folderName, className, children }: PageDropZoneProps) {
  const scope = useScope();
  const t = useTranslations('upload');
  const { addFiles } = useUploads();
  const isAllowed = scope.can('assets:write');
  const { isOver, dropProps } = useFileDrop(isAllowed, (data) => addFiles(data, { folderId }));
  useFilePaste(isAllowed, (files) => addFiles(files, { folderId }));
  return (
    <main {...dropProps} className={classNames(styles.zone, className)}>
      {children}
      {isOver && (
        <div className={styles.overlay}>
          <div className={styles.label}>
            <Upload size={18} aria-hidden />
            {t('dropInto', { folder: folderName })}
          </div>
        </div>
      )}
    </main>
  );
}
