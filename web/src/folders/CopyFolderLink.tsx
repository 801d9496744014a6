import { useTranslations } from '../i18n';
import CopyText from '../library/CopyText';
import { libraryLink } from '../library/library-links';
import { useScope } from '../scope/scope';

export default function CopyFolderLink({ folderId, onEnd }: { folderId: string; onEnd: () => void }) {
  const t = useTranslations('dialogs.copy');
  return <CopyText text={libraryLink(useScope(), { folder: folderId })} done={t('link')} onEnd={onEnd} />;
}
