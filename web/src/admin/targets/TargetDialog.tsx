import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminApi, body } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { textIn } from '../../ui/form-text';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { showToast } from '../../ui/toasts';
import { type Kind, KIND_NAMES, KINDS } from './kinds/kinds';
import { createTarget, replaceTarget } from './save-target';
import type { Diagnosis, Target } from './targets-query';

interface TargetDialogProps {
  /** The target to edit. If absent, the dialog adds one. */
  target?: Target;
  /** The target whose place the added one takes. Its fields are kept, except for secrets. */
  replaced?: Target;
  onClose: () => void;
  /** Saving verifies the target, and its steps are then shown. */
  onVerified: (target: Target, result: Diagnosis) => void;
}

export function TargetDialog({ target, replaced, onClose, onVerified }: TargetDialogProps) {
  const t = useTranslations('admin.targets');
  const scope = useScope();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>((target ?? replaced)?.kind ?? 'wordpress');
  const { Fields, newTargetIn, changesIn } = KINDS[kind];
  const save = async (form: FormData) => {
    const name = textIn(form, 'name');
    const path = { clientId: scope.clientId };
    const saved = target
      ? await body(
          adminApi.PATCH('/admin/clients/{clientId}/targets/{targetId}', {
            params: { path: { ...path, targetId: target.targetId } },
            body: { name, ...changesIn(form) },
          }),
        )
      : replaced
        ? await replaceTarget(scope, replaced, { name, ...newTargetIn(form) })
        : await createTarget(scope, { name, ...newTargetIn(form) });
    await queries.invalidateQueries({ queryKey: scopeKey(scope, 'targets') });
    if (saved.verification) onVerified(saved, saved.verification);
    else showToast({ tone: 'success', title: t('saved', { name: saved.name }) });
  };
  return (
    <FormDialog
      title={
        target
          ? t('editTitle', { name: target.name })
          : replaced
            ? t('replaceTitle', { name: replaced.name })
            : t('add')
      }
      submitLabel={target ? t('save') : t('addAndVerify')}
      isOpen
      onOpenChange={onClose}
      onSubmit={save}
    >
      {replaced && <p>{t('replaceText')}</p>}
      {!target && (
        <Select
          label={t('kind')}
          options={KIND_NAMES.map((each) => ({
            id: each,
            label: t(`kinds.${each}`),
            description: t(`kindTexts.${each}`),
          }))}
          value={kind}
          onChange={setKind}
        />
      )}
      <TextField
        name="name"
        label={t('name')}
        defaultValue={(target ?? replaced)?.name}
        placeholder="bakery.example"
        maxLength={200}
        missing={t('nameMissing')}
        autoFocus={!replaced}
      />
      <Fields target={target} replaced={replaced} />
    </FormDialog>
  );
}
