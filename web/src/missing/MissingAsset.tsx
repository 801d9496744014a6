import { usePageTitle } from '../ui/use-page-title';
import { useScope } from '../scope/scope';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { Dialog, DialogFooter } from '../ui/Dialog';
import { trashPath } from './library-path';
import type { Missing } from './missing-problem';

/** Over the library, which is not affected. */
export default function MissingAsset({ isInTrash, onClose }: Missing & { onClose: () => void }) {
  const t = useTranslations('missing');
  const scope = useScope();
  const kind = isInTrash ? 'trashedAsset' : 'asset';
  const title = t(`${kind}.title`);
  usePageTitle(title);
  return (
    <Dialog title={title} isOpen onOpenChange={onClose} size="small">
      <p>{t(`${kind}.text`)}</p>
      <DialogFooter>
        <Button variant={isInTrash ? 'secondary' : 'primary'} onPress={onClose}>
          {t('library')}
        </Button>
        {isInTrash && (
          <ButtonLink href={trashPath(scope)} variant="primary">
            {t('trash')}
          </ButtonLink>
        )}
      </DialogFooter>
    </Dialog>
  );
}
