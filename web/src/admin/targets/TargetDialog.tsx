import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminApi, body, type Schemas } from '../../api/client';
import { scopeKey, useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { textIn } from '../../ui/form-text';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { showToast } from '../../ui/toasts';
import { createTarget, type NewTarget, replaceTarget } from './save-target';
import { HttpFields, WordPressFields } from './target-fields';
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

const KINDS = ['wordpress', 'http'] as const;
type Kind = (typeof KINDS)[number];

export function TargetDialog({ target, replaced, onClose, onVerified }: TargetDialogProps) {
  const t = useTranslations('admin.targets');
  const scope = useScope();
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>((target ?? replaced)?.kind ?? 'wordpress');
  const save = async (form: FormData) => {
    const path = { clientId: scope.clientId };
    const saved = target
      ? await body(
          adminApi.PATCH('/admin/clients/{clientId}/targets/{targetId}', {
            params: { path: { ...path, targetId: target.targetId } },
            body: changesIn(form, kind),
          }),
        )
      : replaced
        ? await replaceTarget(scope, replaced, newTargetIn(form, kind))
        : await createTarget(scope, newTargetIn(form, kind));
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
          options={KINDS.map((each) => ({
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
      {kind === 'wordpress' ? (
        <WordPressFields target={target} replaced={replaced} />
      ) : (
        <HttpFields target={target} replaced={replaced} />
      )}
    </FormDialog>
  );
}

function newTargetIn(form: FormData, kind: Kind): NewTarget {
  const name = textIn(form, 'name');
  if (kind === 'wordpress') {
    return {
      kind,
      name,
      baseUrl: textIn(form, 'baseUrl'),
      username: textIn(form, 'username'),
      applicationPassword: textIn(form, 'applicationPassword'),
    };
  }
  const method = textIn(form, 'method') === 'POST' ? 'POST' : 'PUT';
  return { kind, name, url: textIn(form, 'url'), method, bearerToken: textIn(form, 'bearerToken') || null };
}

/** Credentials that are left empty do not change. */
function changesIn(form: FormData, kind: Kind): Schemas['UpdateTargetDto'] {
  const name = textIn(form, 'name');
  if (kind === 'wordpress') {
    const applicationPassword = textIn(form, 'applicationPassword') || undefined;
    return { name, username: textIn(form, 'username'), applicationPassword };
  }
  const bearerToken = textIn(form, 'bearerToken') || undefined;
  return { name, method: textIn(form, 'method') === 'POST' ? 'POST' : 'PUT', bearerToken };
}
