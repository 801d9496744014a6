import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import styles from './StepList.module.css';

export type Step = Schemas['DoctorStepDto'];
export type StepResult = 'passed' | 'failed' | 'skipped';

export interface StepListProps {
  label: string;
  steps: readonly Step[];
  /** What to call the step with this result. */
  nameOf: (step: string, result: StepResult) => string;
}

/** The steps in order; failed ones with cause and fix. */
export function StepList({ label, steps, nameOf }: StepListProps) {
  const t = useTranslations('admin.steps');
  return (
    <ol className={styles.list} aria-label={label}>
      {steps.map(({ step, ok, skipped, cause, fix }) => (
        <li key={step} className={styles.step}>
          {skipped ? (
            <CircleMinus className={styles.skipped} size={18} aria-hidden />
          ) : ok ? (
            <CircleCheck className={styles.passed} size={18} aria-label={t('passed')} role="img" />
          ) : (
            <CircleX className={styles.failed} size={18} aria-label={t('failed')} role="img" />
          )}
          <div className={styles.text}>
            <span className={styles.name}>
              {nameOf(step, skipped ? 'skipped' : ok ? 'passed' : 'failed')}
            </span>
            {skipped && <p className={styles.skipped}>{t('skipped')}</p>}
            {cause && <p className={styles.cause}>{cause}</p>}
            {fix && (
              <p className={styles.fix}>
                <strong>{t('fix')}</strong> {fix}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
