import { useTranslations } from '../i18n';
import { Dialog } from '../ui/Dialog';
import { keyLabels, SHORTCUTS, type ShortcutName } from '../ui/shortcuts';
import styles from './ShortcutsDialog.module.css';

const GROUPS = ['anywhere', 'choosing', 'acting'] as const;
const NAMES = Object.keys(SHORTCUTS) as ShortcutName[];

export default function ShortcutsDialog({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useTranslations('shortcuts');
  const shell = useTranslations('shell.shortcuts');
  return (
    <Dialog title={shell('title')} isOpen={isOpen} onOpenChange={onOpenChange}>
      {GROUPS.map((group) => (
        <section key={group} className={styles.group}>
          <h3 className={styles.heading}>{t(`groups.${group}`)}</h3>
          <dl className={styles.list}>
            {NAMES.filter((name) => SHORTCUTS[name].group === group).map((name) => (
              <div key={name} className={styles.row}>
                <dt>{t(`keys.${name}`)}</dt>
                <dd className={styles.keys}>
                  {keyLabels(name).map((key) => (
                    <kbd key={key} className={styles.key}>
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
