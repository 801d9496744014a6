import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminApi, body } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';
import { Button } from '../../ui/Button';
import { Dialog, DialogFooter } from '../../ui/Dialog';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { StepList, type StepResult } from '../shared/StepList';
import { KINDS } from './kinds/kinds';
import type { Diagnosis, Target } from './targets-query';
import { allSteps, remedyFor } from './verification-steps';

interface VerifyDialogProps {
  target: Target;
  /** The steps of a verification that has just run. */
  result?: Diagnosis;
  onClose: () => void;
  onEdit: (target: Target) => void;
  /** The address cannot be edited, so another one is another target. */
  onReplace: (target: Target) => void;
}

/** Verifies the target and shows the steps. */
export function VerifyDialog({ target, result, onClose, onEdit, onReplace }: VerifyDialogProps) {
  const t = useTranslations('admin.targets');
  const scope = useScope();
  const queries = useQueryClient();
  const check = useQuery({
    queryKey: scopeKey(scope, 'verification', target.targetId),
    queryFn: async () => {
      const params = { path: { clientId: scope.clientId, targetId: target.targetId } };
      const found = await body(
        adminApi.POST('/admin/clients/{clientId}/targets/{targetId}/verify', { params }),
      );
      await queries.invalidateQueries({ queryKey: scopeKey(scope, 'targets') });
      return found;
    },
    initialData: result,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const diagnosis = check.isFetching ? undefined : check.data;
  const remedy = diagnosis && scope.can('targets:manage') ? remedyFor(diagnosis.steps) : null;
  return (
    <Dialog title={t('verifyTitle', { name: target.name })} isOpen onOpenChange={onClose}>
      <p role="status">{diagnosis ? t(diagnosis.ok ? 'verifiedOk' : 'verifiedFailed') : t('verifying')}</p>
      {check.error && !check.isFetching ? (
        <ProblemNote error={check.error} />
      ) : diagnosis ? (
        <StepList
          label={t('steps')}
          steps={allSteps(KINDS[target.kind].steps, diagnosis.steps)}
          nameOf={(step, stepResult) => stepName(t, target.kind, step, stepResult)}
        />
      ) : (
        <Skeleton height={120} radius={8} />
      )}
      <DialogFooter>
        {remedy === 'replace' && <Button onPress={() => onReplace(target)}>{t('replace')}</Button>}
        {remedy === 'edit' && <Button onPress={() => onEdit(target)}>{t('edit')}</Button>}
        <Button isDisabled={check.isFetching} onPress={() => void check.refetch()}>
          {t('verifyAgain')}
        </Button>
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type StepKey = keyof Messages['admin']['targets']['stepNames']['wordpress'];

/** A sentence that says how it went, so that the sign and the words never contradict each other. */
function stepName(
  t: ReturnType<typeof useTranslations<'admin.targets'>>,
  kind: Target['kind'],
  step: string,
  result: StepResult,
): string {
  const key = `stepNames.${kind as 'wordpress'}.${step as StepKey}.${result}` as const;
  return t.has(key) ? t(key) : step;
}
