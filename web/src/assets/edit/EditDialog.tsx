import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import { useAssetFormats } from '../../library/formats';
import { useSurfacesText } from '../../library/SurfaceChips';
import { useLibrary } from '../../library/use-library';
import { Dialog } from '../../ui/Dialog';
import { ErrorState } from '../../ui/ErrorState';
import { FormDialog } from '../../ui/FormDialog';
import { Progress } from '../../ui/Progress';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';
import type { SelectionDialogProps } from '../actions/asset-commands';
import { AT_A_TIME } from '../actions/bulk';
import { useChosen } from '../actions/use-chosen';
import {
  type Draft,
  editOf,
  NO_CHANGES,
  NO_TAGS,
  sharedValue,
  switchText,
  type TextField as EditedText,
} from './edit-draft';
import { type EditResult, failuresOf } from './edit-many';
import { EditField } from './EditField';
import { FailedAssets } from './FailedAssets';
import { SurfaceChoice } from './SurfaceChoice';
import { TagChoice } from './TagChoice';
import { TitlePattern } from './TitlePattern';
import { useEditMany } from './use-edit-many';

const MAX_TEXT = 2000;

/** Edits titles, texts, tags and places of all selected assets together. */
export default function EditDialog({ selection, onClose }: SelectionDialogProps) {
  const t = useTranslations('details.editMany');
  const { assets, error, retry } = useChosen(selection);
  if (assets) return <EditForm assets={assets} onClose={onClose} />;
  return (
    <Dialog title={t('loading')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {error === undefined ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={retry} />}
    </Dialog>
  );
}

function EditForm({ assets, onClose }: { assets: readonly Asset[]; onClose: () => void }) {
  const t = useTranslations('details.editMany');
  const labels = useTranslations('details');
  const formats = useAssetFormats();
  const surfacesText = useSurfacesText();
  const editMany = useEditMany(useLibrary());
  const [draft, setDraft] = useState(NO_CHANGES);
  const [done, setDone] = useState<number | null>(null);
  const [failed, setFailed] = useState<readonly EditResult[]>([]);
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const edit = editOf(draft);
  const count = assets.length;
  const number = formats.number(count);

  const save = async () => {
    if (!edit) return;
    setFailed([]);
    setDone(0);
    try {
      await editMany(
        assets.map(({ assetId }) => assetId),
        edit,
        setDone,
      );
    } catch (error) {
      const failures = failuresOf(error);
      setFailed(failures);
      // The list below says more than the problem does.
      throw failures.length > 0 ? noneChanged(t('noneChanged'), t('noneChangedText')) : error;
    } finally {
      setDone(null);
    }
  };
  const shared = {
    title: sharedValue(assets, ({ title }) => title),
    altText: sharedValue(assets, ({ altText }) => altText),
    description: sharedValue(assets, ({ description }) => description),
    tags: sharedValue(assets, ({ tags }) => tags),
    allowedSurfaces: sharedValue(assets, ({ allowedSurfaces }) => allowedSurfaces),
  };
  const textField = (field: EditedText) => (
    <EditField
      label={labels(field)}
      now={shared[field]}
      isOn={draft[field] !== undefined}
      onSwitch={(isOn) => setDraft((now) => switchText(now, field, isOn, shared))}
    >
      <TextField
        label={t('newText', { field: labels(field) })}
        isLabelHidden
        rows={2}
        maxLength={MAX_TEXT}
        value={draft[field] ?? ''}
        onChange={(text) => change({ [field]: text })}
      />
    </EditField>
  );
  return (
    <FormDialog
      title={t('titleMany', { count, number })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      submitLabel={t('save')}
      isSubmitDisabled={!edit}
      onSubmit={save}
    >
      <EditField
        label={labels('title')}
        now={shared.title}
        isOn={draft.titlePattern !== undefined}
        onSwitch={(isOn) => change({ titlePattern: isOn ? (escaped(shared.title) ?? '{title}') : undefined })}
      >
        <TitlePattern assets={assets} draft={draft} onChange={change} />
      </EditField>
      {textField('altText')}
      {textField('description')}
      {(draft.altText !== undefined || draft.description !== undefined) && (
        <Switch
          isSelected={draft.onlyEmpty}
          onChange={(onlyEmpty) => change({ onlyEmpty })}
          description={t('onlyEmptyText')}
        >
          {t('onlyEmpty')}
        </Switch>
      )}
      <EditField
        label={labels('tags')}
        now={shared.tags?.join(', ')}
        isOn={draft.tags !== undefined}
        onSwitch={(isOn) => change({ tags: isOn ? NO_TAGS : undefined })}
      >
        <TagChoice assets={assets} tags={draft.tags ?? NO_TAGS} onChange={(tags) => change({ tags })} />
      </EditField>
      <EditField
        label={labels('surfaces')}
        now={shared.allowedSurfaces && surfacesText(shared.allowedSurfaces)}
        isOn={draft.allowedSurfaces !== undefined}
        onSwitch={(isOn) => change({ allowedSurfaces: isOn ? (shared.allowedSurfaces ?? null) : undefined })}
      >
        <SurfaceChoice
          label={labels('surfaces')}
          surfaces={draft.allowedSurfaces ?? null}
          onChange={(changed) =>
            setDraft((now) => ({ ...now, allowedSurfaces: changed(now.allowedSurfaces ?? null) }))
          }
        />
      </EditField>
      {done !== null && count > AT_A_TIME && (
        <Progress label={t('progress', { done: formats.number(done), number })} value={done / count} />
      )}
      {failed.length > 0 && <FailedAssets label={t('failed')} assets={assets} failed={failed} />}
    </FormDialog>
  );
}

/** A title as a pattern that makes just this title. */
function escaped(title: string | undefined): string | undefined {
  return title?.replace(/[{}]/g, '$&$&');
}

function noneChanged(title: string, detail: string): ApiProblem {
  return new ApiProblem({ status: 409, code: 'bulk_failed', title, detail });
}
