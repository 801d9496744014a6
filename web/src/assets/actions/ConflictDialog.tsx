import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { Dialog, DialogFooter } from '../../ui/Dialog';
import type { Asset, AssetChange } from '../../library/asset-types';
import type { EditConflict } from './use-edit-asset';
import styles from './ConflictDialog.module.css';

export interface ConflictDialogProps {
  readonly conflict: EditConflict;
  onKeepMine: () => void;
  onKeepTheirs: () => void;
}

type Field = keyof AssetChange & keyof Asset;

/** Two people edited the same field: shows both texts and lets the user choose. */
export default function ConflictDialog({ conflict, onKeepMine, onKeepTheirs }: ConflictDialogProps) {
  const t = useTranslations('details.conflict');
  const fields = Object.keys(conflict.change) as Field[];
  return (
    <Dialog title={t('title')} isOpen onOpenChange={(isOpen) => !isOpen && onKeepTheirs()}>
      <p>{t('explanation')}</p>
      {fields.map((field) => (
        <div key={field} className={styles.pair}>
          <Text title={t('theirs')} text={textOf(conflict.theirs[field])} none={t('none')} />
          <Text title={t('mine')} text={textOf(conflict.change[field])} none={t('none')} />
        </div>
      ))}
      <DialogFooter>
        <Button onPress={onKeepTheirs}>{t('keepTheirs')}</Button>
        <Button variant="primary" onPress={onKeepMine}>
          {t('keepMine')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Text({ title, text, none }: { title: string; text: string; none: string }) {
  return (
    <div className={styles.text}>
      <span>{title}</span>
      <p data-empty={text === '' || undefined}>{text || none}</p>
    </div>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : value ? JSON.stringify(value) : '';
}
