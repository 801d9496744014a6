import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { Dialog } from '../../ui/Dialog';
import type { AuditEvent } from './audit-events';
import styles from './Audit.module.css';
import { SubjectName } from './EventSubject';
import { useAuditTexts } from './use-audit-texts';

/** One event with what it changed. */
export function EventDialog({ event, onClose }: { event: AuditEvent | null; onClose: () => void }) {
  const texts = useAuditTexts();
  return (
    <Dialog
      title={event ? texts.action(event.action) : ''}
      size="large"
      isOpen={event !== null}
      onOpenChange={onClose}
    >
      {event && <EventDetails event={event} />}
    </Dialog>
  );
}

function EventDetails({ event }: { event: AuditEvent }) {
  const t = useTranslations('admin.audit');
  const format = useFormat();
  const texts = useAuditTexts();
  const fields = [...new Set([...Object.keys(event.before ?? {}), ...Object.keys(event.after ?? {})])];
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('when')}</dt>
        <dd>{format.dateTime(event.at)}</dd>
        <dt>{t('who')}</dt>
        <dd>{event.actor.name}</dd>
        <dt>{t('subject')}</dt>
        <dd>
          <SubjectName event={event} />
        </dd>
        <dt>{t('id')}</dt>
        <dd>
          <code>{event.subjectId}</code>
        </dd>
        {event.requestId && (
          <>
            <dt>{t('request')}</dt>
            <dd>
              <code>{event.requestId}</code>
            </dd>
          </>
        )}
      </dl>
      {fields.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              {event.before && <th scope="col">{t('before')}</th>}
              <th scope="col">{event.before ? t('after') : t('value')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{texts.field(field)}</th>
                {event.before && (
                  <td>{valueOf(event.before, field) ?? <span className={styles.none}>–</span>}</td>
                )}
                <td>{valueOf(event.after, field) ?? <span className={styles.none}>–</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function valueOf(values: AuditEvent['before'], field: string): string | null {
  const value: unknown = values?.[field];
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
