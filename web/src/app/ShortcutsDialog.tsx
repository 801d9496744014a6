import { useTranslations } from '../i18n';
import shortcuts from '../i18n/en/shortcuts.json';
import { addTexts, type Messages } from '../i18n/messages';
import { Dialog } from '../ui/Dialog';
import styles from './ShortcutsDialog.module.css';

type ShortcutText = keyof Messages['shortcuts']['keys'];
type GroupText = keyof Messages['shortcuts']['groups'];

addTexts({ shortcuts });

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const CTRL = isApple ? '⌘' : 'Ctrl';

const GROUPS: readonly [GroupText, readonly [ShortcutText, readonly string[]][]][] = [
  [
    'anywhere',
    [
      ['search', ['/']],
      ['help', ['?']],
      ['escape', ['Esc']],
    ],
  ],
  [
    'choosing',
    [
      ['walk', ['←', '↑', '→', '↓']],
      ['toggle', ['Space']],
      ['extend', ['Shift', '↓']],
      ['all', [CTRL, 'A']],
    ],
  ],
  [
    'acting',
    [
      ['open', ['Enter']],
      ['rename', ['F2']],
      ['trash', [isApple ? '⌫' : 'Delete']],
      ['undo', [CTRL, 'Z']],
      ['menu', ['Shift', 'F10']],
      ['drag', ['Alt', 'Enter']],
    ],
  ],
];

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
      {GROUPS.map(([group, entries]) => (
        <section key={group} className={styles.group}>
          <h3 className={styles.heading}>{t(`groups.${group}`)}</h3>
          <dl className={styles.list}>
            {entries.map(([text, keys]) => (
              <div key={text} className={styles.row}>
                <dt>{t(`keys.${text}`)}</dt>
                <dd className={styles.keys}>
                  {keys.map((key) => (
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
