import { Camera, ChevronDown, FolderUp, ImagePlus, Upload } from 'lucide-react';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuTrigger } from '../ui/Menu';
import { useIsTouch } from '../ui/use-media-query';
import styles from './UploadButton.module.css';
import { useUploads } from './UploadProvider';

export interface UploadButtonProps {
  folderId: string | null;
  /** Shows only the icon where the library has little room. */
  isCompactIfNarrow?: boolean;
}

/** The button chooses files, its menu a whole folder; on a phone, files or the camera. */
export function UploadButton({ folderId, isCompactIfNarrow = false }: UploadButtonProps) {
  const t = useTranslations('upload');
  const { pick } = useUploads();
  const isTouch = useIsTouch();
  const act = (key: unknown) => pick({ folderId, directory: key === 'folder', capture: key === 'camera' });
  const look = {
    variant: 'primary',
    icon: <Upload aria-hidden />,
    'aria-label': t('upload'),
    className: classNames(isCompactIfNarrow && styles.compact, !isTouch && styles.main),
  } as const;
  if (isTouch) {
    return (
      <MenuTrigger>
        <Button {...look}>{t('upload')}</Button>
        <Menu placement="bottom end" onAction={act}>
          <MenuItem id="files" label={t('pickFiles')} icon={<ImagePlus aria-hidden />} />
          <MenuItem id="camera" label={t('takePhoto')} icon={<Camera aria-hidden />} />
        </Menu>
      </MenuTrigger>
    );
  }
  return (
    <div className={styles.split}>
      <Button {...look} onPress={() => act('files')}>
        {t('upload')}
      </Button>
      <MenuTrigger>
        <IconButton
          variant="primary"
          label={t('moreWays')}
          icon={<ChevronDown aria-hidden />}
          className={styles.more}
        />
        <Menu placement="bottom end" onAction={act}>
          <MenuItem id="files" label={t('pickFiles')} icon={<ImagePlus aria-hidden />} />
          <MenuItem id="folder" label={t('pickFolder')} icon={<FolderUp aria-hidden />} />
        </Menu>
      </MenuTrigger>
    </div>
  );
}
