import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminApi, body } from '../../api/client';
import { scopeKey, useScope } from '../../app/scope';
import { useTranslations } from '../../i18n';
import type { Messages } from '../../i18n/messages';
import { Button } from '../../ui/Button';
import { Dialog, DialogFooter } from '../../ui/Dialog';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { StepList } from '../shared/StepList';
import type { Diagnosis, Target } from './targets-query';

interface VerifyDialogProps {
  target: Target;
  /** The steps of a verification that has just run. */
  result?: Diagnosis;
  onClose: () => void;
}

/** Verifies the target and shows the steps. */
export function VerifyDialog({ target, result, onClose }: VerifyDialogProps) {
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
  return (
    <Dialog title={t('verifyTitle', { name: target.name })} isOpen onOpenChange={onClose}>
      <p role="status">{diagnosis ? t(diagnosis.ok ? 'verifiedOk' : 'verifiedFailed') : t('verifying')}</p>
      {check.error && !check.isFetching ? (
        <ProblemNote error={check.error} />
      ) : diagnosis ? (
        <StepList label={t('steps')} steps={diagnosis.steps} nameOf={(step) => stepName(t, step)} />
      ) : (
        <Skeleton height={120} radius={8} />
      )}
      <DialogFooter>
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

type StepName = keyof Messages['admin']['targets']['stepNames'];
const STEP_NAMES: readonly string[] = [
  'address',
  'reachable',
  'rest-api',
  'credentials',
  'upload-permission',
] satisfies StepName[];

function stepName(t: ReturnType<typeof useTranslations<'admin.targets'>>, step: string): string {
  return STEP_NAMES.includes(step) ? t(`stepNames.${step as StepName}`) : step;
}
