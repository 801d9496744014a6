import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/use-session';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { useProblemToast } from '../../ui/use-problem-toast';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { InviteUserDialog } from './InviteUserDialog';
import { UserDialogs, type UserAction } from './UserDialogs';
import { UserLinkDialog, type ShownLink } from './UserLinkDialog';
import { useChangeUser } from './use-change-user';
import { usersQuery, type User } from './users-query';
import { UsersTable } from './UsersTable';

export function UsersPage() {
  const t = useTranslations('admin.users');
  const users = useInfiniteQuery(usersQuery);
  const isOwner = useSession().can('users:manage');
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<ShownLink | null>(null);
  const [action, setAction] = useState<UserAction | null>(null);
  const changeUser = useChangeUser();
  const problemToast = useProblemToast();
  const activate = (user: User) =>
    void changeUser(user, { isActive: true }, t('activated', { name: user.name })).catch(problemToast);
  return (
    <AdminPage
      title={t('title')}
      description={isOwner ? t('description') : t('descriptionOfPortals')}
      action={
        <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setInviting(true)}>
          {t('invite')}
        </Button>
      }
    >
      {users.error ? (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} />
      ) : (
        <UsersTable
          users={users.data?.pages.flatMap((page) => page.users)}
          onAction={setAction}
          onActivate={activate}
        />
      )}
      <LoadMore pages={users} />
      <InviteUserDialog isOpen={isInviting} onOpenChange={setInviting} onInvited={setLink} />
      <UserDialogs action={action} onClose={() => setAction(null)} onLink={setLink} />
      <UserLinkDialog link={link} onClose={() => setLink(null)} />
    </AdminPage>
  );
}
