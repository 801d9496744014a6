import { Check, CircleAlert, Info, X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContentArea,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from 'react-aria-components/Toast';
import { useTranslations } from '../i18n';
import { Button } from './Button';
import { IconButton } from './IconButton';
import { toastQueue } from './toast-queue';
import styles from './ToastRegion.module.css';
import { classNames } from './class-names';

const ICONS = { neutral: Info, success: Check, danger: CircleAlert };

/** Where toasts appear. */
export default function ToastRegion() {
  const t = useTranslations('ui');
  return (
    <AriaToastRegion queue={toastQueue} className={styles.region} aria-label={t('notifications')}>
      {({ toast }) => {
        const { title, description, tone = 'neutral', action, requestId } = toast.content;
        const Icon = ICONS[tone];
        return (
          <Toast toast={toast} className={classNames(styles.toast, styles[tone])}>
            <Icon className={styles.icon} size={18} aria-hidden />
            <ToastContentArea className={styles.content}>
              <Text slot="title" className={styles.title}>
                {title}
              </Text>
              {description && (
                <Text slot="description" className={styles.description}>
                  {description}
                </Text>
              )}
              {requestId && (
                <span className={styles.requestId}>
                  {t.rich('requestId', { id: requestId, code: (text) => <code>{text}</code> })}
                </span>
              )}
            </ToastContentArea>
            {action && (
              <Button
                variant="ghost"
                className={styles.action}
                onPress={() => {
                  action.onAction();
                  toastQueue.close(toast.key);
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton slot="close" label={t('dismiss')} icon={<X aria-hidden />} />
          </Toast>
        );
      }}
    </AriaToastRegion>
  );
}
