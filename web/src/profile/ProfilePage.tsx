import { AdminPage, AdminSection } from '../admin/shared/AdminPage';
import { adminApi, body } from '../api/client';
import { session } from '../api/session-store';
import { useSession } from '../api/use-session';
import { useTranslations } from '../i18n';
import { SHORTEST_PASSWORD } from '../sign-in/password-rule';
import { rawTextIn, textIn } from '../ui/form-text';
import { TextField } from '../ui/TextField';
import { showToast } from '../ui/toasts';
import { ProfileForm } from './ProfileForm';
import { SignIns } from './SignIns';

/** What users change about themselves, on both sides. */
export function ProfilePage() {
  const t = useTranslations('account.profile');
  const { user } = useSession();
  const rename = async (form: FormData) => {
    session.update(await body(adminApi.PATCH('/auth/me', { body: { name: textIn(form, 'name') } })));
    showToast({ tone: 'success', title: t('saved') });
  };
  const changePassword = async (form: FormData) => {
    const [currentPassword, newPassword] = [
      rawTextIn(form, 'currentPassword'),
      rawTextIn(form, 'newPassword'),
    ];
    await body(adminApi.POST('/auth/password', { body: { currentPassword, newPassword } }));
    showToast({ tone: 'success', title: t('changed'), description: t('changedText') });
  };
  return (
    <AdminPage title={t('title')} description={user.email}>
      <AdminSection title={t('name')}>
        <ProfileForm submitLabel={t('save')} onSubmit={rename}>
          <TextField
            key={user.name}
            name="name"
            label={t('name')}
            isLabelHidden
            defaultValue={user.name}
            maxLength={200}
            autoComplete="name"
            missing={t('nameMissing')}
          />
        </ProfileForm>
      </AdminSection>
      <AdminSection title={t('password')} description={t('passwordText')}>
        <ProfileForm submitLabel={t('changePassword')} onSubmit={changePassword}>
          <TextField
            name="currentPassword"
            type="password"
            label={t('current')}
            autoComplete="current-password"
            missing={t('currentMissing')}
          />
          <TextField
            name="newPassword"
            type="password"
            label={t('new')}
            description={t('rule', { count: SHORTEST_PASSWORD })}
            autoComplete="new-password"
            minLength={SHORTEST_PASSWORD}
            missing={t('newMissing')}
          />
        </ProfileForm>
      </AdminSection>
      <SignIns />
    </AdminPage>
  );
}
