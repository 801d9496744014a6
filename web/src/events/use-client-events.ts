import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Scope } from '../scope/scope';
import { session } from '../api/session-store';
import { EventStream } from './event-stream';
import { refreshQueueOf } from './refresh-queue';

/** Keeps a client's data in sync across windows. Without the stream, queries refetch on focus. */
export function useClientEvents({ basePath }: Pick<Scope, 'basePath'>): void {
  const client = useQueryClient();
  useEffect(() => {
    const queue = refreshQueueOf(client);
    const refresh = (...keys: QueryKey[]) => queue.add(...keys.map((key) => [basePath, ...key]));
    const stream = new EventStream(`${basePath}/events`, {
      events: {
        'asset.changed': (data) => {
          // The ids are omitted if there are too many.
          const { assetIds } = data as { assetIds?: readonly string[] };
          const single = assetIds?.map((assetId) => ['asset', assetId]) ?? [['asset']];
          refresh(['assets'], ['folders'], ['tags'], ...single);
        },
        'folder.changed': () => refresh(['folders'], ['assets']),
        'trash.changed': () => refresh(['trash'], ['folders']),
        'delivery.changed': () => refresh(['deliveries'], ['asset']),
        'target.changed': () => refresh(['targets']),
        resync: () => refresh([]),
        signed_out: (data) => endSession((data as { reason?: string }).reason),
      },
      onGap: () => refresh([]),
      mayReconnect: () => {
        // The user may have lost access to the client.
        refresh(['record']);
        return session.refresh();
      },
    });
    return () => stream.close();
  }, [client, basePath]);
}

function endSession(reason: string | undefined): void {
  if (reason === 'account_inactive') session.end('inactive');
  else if (reason === 'signed_out') session.end('elsewhere');
  // The permissions have changed; the renewed session contains the new ones.
  else void session.refresh();
}
