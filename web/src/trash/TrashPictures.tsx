import { FileImage, Folder } from 'lucide-react';
import type { components } from '../api/schema';
import { useScope } from '../scope/scope';
import { trashPreviewUrl } from '../library/preview-url';
import { Thumbnails } from '../library/Thumbnails';
import styles from './TrashPictures.module.css';

type Item = Pick<components['schemas']['TrashItemDto'], 'folderId' | 'previewAssetIds'>;

/** What is in a batch: one picture, or up to four of a folder. */
export function TrashPictures({ item: { folderId, previewAssetIds } }: { item: Item }) {
  const { basePath } = useScope();
  return (
    <Thumbnails
      sources={previewAssetIds.map((id) => trashPreviewUrl(basePath, id))}
      icon={folderId ? Folder : FileImage}
      size="large"
    >
      {folderId && (
        <span className={styles.folder}>
          <Folder size={12} aria-hidden />
        </span>
      )}
    </Thumbnails>
  );
}
