import { KeyRound, Link, Pencil, UserCheck, UserX } from 'lucide-react';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { useSession } from '../../api/use-session';
import { Avatar } from '../../ui/Avatar';
import { MenuItem, MenuSeparator } from '../../ui/Menu';
import { Table, type TableColumn } from '../../ui/Table';
import { TitleCell } from '../shared/Cell';
import { RowMenu } from '../shared/RowMenu';
import { useRoleName } from '../shared/roles';
import { StateCell } from '../shared/StateBadge';
import { useClientNames } from '../shared/use-client-names';
import type { UserAction } from './UserDialogs';
import type { User } from './users-query';

interface UsersTableProps {
  users: readonly User[] | undefined;
  onAction: (action: UserAction) => void;
  onActivate: (user: User) => void;
}

export function UsersTable({ users, onAction, onActivate }: UsersTableProps) {
  const t = useTranslations('admin.users');
  const roleName = useRoleName();
  const clientNames = useClientNames();
  const self = useSession().user.userId;
  const columns: TableColumn<User>[] = [
    {
      id: 'name',
      header: t('name'),
      kind: 'lead',
      cell: (user) => (
        <TitleCell
          mark={<Avatar name={user.name} />}
          title={user.userId === self ? t('you', { name: user.name }) : user.name}
          minor={user.email}
        />
      ),
    },
    { id: 'role', header: t('role'), cell: (user) => roleName(user.role) },
    { id: 'clients', header: t('clients'), cell: (user) => clientNames(user.clientIds) },
    {
      id: 'state',
      header: t('state'),
      cell: (user) => <UserState user={user} />,
    },
    {
      id: 'actions',
      header: t('actions'),
      kind: 'actions',
      align: 'end',
      width: 64,
      cell: (user) => (
        <RowMenu label={t('menu', { name: user.name })}>
          <MenuItem
            label={t('edit')}
            icon={<Pencil aria-hidden />}
            onAction={() => onAction({ kind: 'edit', user })}
          />
          {user.isActive && (
            <MenuItem
              label={user.state === 'invited' ? t('inviteAgain') : t('resetPassword')}
              icon={user.state === 'invited' ? <Link aria-hidden /> : <KeyRound aria-hidden />}
              onAction={() => onAction({ kind: 'newLink', user })}
            />
          )}
          <MenuSeparator />
          {user.isActive ? (
            <MenuItem
              label={t('deactivate')}
              tone="danger"
              icon={<UserX aria-hidden />}
              onAction={() => onAction({ kind: 'deactivate', user })}
            />
          ) : (
            <MenuItem
              label={t('activate')}
              icon={<UserCheck aria-hidden />}
              onAction={() => onActivate(user)}
            />
          )}
        </RowMenu>
      ),
    },
  ];
  return <Table label={t('title')} columns={columns} rows={users} rowKey={(user) => user.userId} />;
}

/** For somebody who is invited, also how long the link works. */
function UserState({ user: { state, linkExpiresAt } }: { user: User }) {
  const t = useTranslations('admin.users');
  const format = useFormat();
  if (state !== 'invited') return <StateCell state={state} reason={null} />;
  if (linkExpiresAt === null) return <StateCell state="link_expired" reason={null} />;
  return <StateCell state="invited" reason={t('linkExpires', { when: format.relative(linkExpiresAt) })} />;
}
