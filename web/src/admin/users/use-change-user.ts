import { useQueryClient } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';
import { showToast } from '../../ui/toasts';
import { usersQuery, type User } from './users-query';

/** Changes a user and shows a confirmation; rejects with the problem. */
export function useChangeUser() {
  const queries = useQueryClient();
  return async (user: User, changes: Schemas['UpdateUserDto'], message: string): Promise<void> => {
    const params = { path: { userId: user.userId } };
    await body(adminApi.PATCH('/admin/users/{userId}', { params, body: changes }));
    showToast({ tone: 'success', title: message });
    await queries.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
}
