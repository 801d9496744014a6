import { FileImage, Folder } from 'lucide-react';
import { useState } from 'react';
import type { components } from '../api/schema';
import { useScope } from '../app/scope';
import { trashPreviewUrl } from '../assets/library/preview-url';
import { retryPicture } from '../assets/library/retry-picture';
import styles from './TrashPictures.module.css';

type Item = Pick<components['schemas']['TrashItemDto'], 'folderId' | 'previewAssetIds'>;

/** What is in a batch: one picture, or up to four as a mosaic; the icon if there is none or it does not load. */
export function TrashPictures({ item: { folderId, previewAssetIds } }: { item: Item }) {
  const { basePath } = useScope();
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = previewAssetIds.filter((id) => !broken.includes(id));
  const Icon = folderId ? Folder : FileImage;
  return (
    <span className={styles.mark}>
      {shown.length === 0 ? (
        <Icon size={20} aria-hidden />
      ) : (
        <span className={styles.pictures}>
          {shown.map((id) => (
            <img
              key={id}
              src={trashPreviewUrl(basePath, id)}
              alt=""
              loading="lazy"
              draggable={false}
              onError={({ currentTarget }) =>
                retryPicture(currentTarget, () => setBroken((ids) => [...ids, id]))
              }
            />
          ))}
        </span>
      )}
      {shown.length > 0 && folderId && (
        <span className={styles.folder}>
          <Folder size={12} aria-hidden />
        </span>
      )}
    </span>
  );
}
