import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { useProblemToast } from '../../ui/use-problem-toast';
import { AdminPage } from '../shared/AdminPage';
import { LoadMore } from '../shared/LoadMore';
import { CreateUserDialog } from './CreateUserDialog';
import { UserDialogs, type UserAction } from './UserDialogs';
import { useChangeUser } from './use-change-user';
import { usersQuery, type User } from './users-query';
import { UsersTable } from './UsersTable';

export function UsersPage() {
  const t = useTranslations('admin.users');
  const users = useInfiniteQuery(usersQuery);
  const [isCreating, setCreating] = useState(false);
  const [action, setAction] = useState<UserAction | null>(null);
  const changeUser = useChangeUser();
  const problemToast = useProblemToast();
  const activate = (user: User) =>
    void changeUser(user, { isActive: true }, t('activated', { name: user.name })).catch(problemToast);
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      action={
        <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setCreating(true)}>
          {t('create')}
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
      <CreateUserDialog isOpen={isCreating} onOpenChange={setCreating} />
      <UserDialogs action={action} onClose={() => setAction(null)} />
    </AdminPage>
  );
}
