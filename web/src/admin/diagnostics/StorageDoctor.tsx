import { useMutation } from '@tanstack/react-query';
import { Stethoscope } from 'lucide-react';
import { Form } from 'react-aria-components/Form';
import { adminApi, body } from '../../api/client';
import { validationErrors } from '../../api/problem';
import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';
import { Button } from '../../ui/Button';
import { ProblemNote } from '../../ui/ErrorState';
import { TextField } from '../../ui/TextField';
import { AdminSection, Card } from '../shared/AdminPage';
import { StateBadge } from '../shared/StateBadge';
import { StepList } from '../shared/StepList';
import styles from './Diagnostics.module.css';
import { textIn } from '../../ui/form-text';

/** Writes, reads and deletes a probe object the way a browser does, and shows each step. */
export function StorageDoctor() {
  const t = useTranslations('admin.doctor');
  const examine = useMutation({
    mutationFn: (origin: string) =>
      body(adminApi.POST('/admin/diagnostics/storage', { body: { origin: origin || undefined } })),
  });
  return (
    <AdminSection title={t('title')} description={t('text')}>
      <Card>
        <Form
          className={styles.form}
          validationErrors={validationErrors(examine.error)}
          onSubmit={(event) => {
            event.preventDefault();
            examine.mutate(textIn(new FormData(event.currentTarget), 'origin'));
          }}
        >
          <TextField name="origin" label={t('origin')} defaultValue={location.origin} isOptional />
          <Button
            type="submit"
            variant="primary"
            icon={<Stethoscope aria-hidden />}
            isPending={examine.isPending}
          >
            {t('run')}
          </Button>
        </Form>
        {examine.error && (
          <div className={styles.result}>
            <ProblemNote error={examine.error} />
          </div>
        )}
        {examine.data && (
          <div className={styles.result}>
            <p className={styles.summary} role="status">
              <StateBadge state={examine.data.ok ? 'ok' : 'failed'} />
              {examine.data.ok ? t('allPassed') : t('someFailed')}
            </p>
            <StepList label={t('title')} steps={examine.data.steps} nameOf={(step) => stepName(t, step)} />
          </div>
        )}
      </Card>
    </AdminSection>
  );
}

type StepName = keyof Messages['admin']['doctor']['steps'];

function stepName(t: ReturnType<typeof useTranslations<'admin.doctor'>>, step: string): string {
  const key = step as StepName;
  return t.has(`steps.${key}`) ? t(`steps.${key}`) : step;
}
