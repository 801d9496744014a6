import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Scope } from '../app/scope';
import { session } from '../session/session-store';
import { EventStream } from './event-stream';
import { refreshQueueOf } from './refresh-queue';

interface Change {
  readonly assetIds?: readonly string[];
}

/** Keeps what a window shows of a client in step with every other window. Without the stream, queries refetch on focus. */
export function useClientEvents({ basePath }: Pick<Scope, 'basePath'>): void {
  const client = useQueryClient();
  useEffect(() => {
    const queue = refreshQueueOf(client);
    const refresh = (...keys: QueryKey[]) => queue.add(...keys.map((key) => [basePath, ...key]));
    const stream = new EventStream(`${basePath}/events`, {
      events: {
        'asset.changed': (data) => {
          const { assetIds = [] } = (data ?? {}) as Change;
          refresh(['assets'], ['folders'], ['tags'], ...assetIds.map((assetId) => ['asset', assetId]));
        },
        'folder.changed': () => refresh(['folders'], ['assets']),
        'trash.changed': () => refresh(['trash'], ['folders']),
        'delivery.changed': () => refresh(['deliveries'], ['asset']),
        resync: () => refresh([]),
        signed_out: () => void session.refresh(),
      },
      onGap: () => refresh([]),
      mayReconnect: () => session.refresh(),
    });
    return () => stream.close();
  }, [client, basePath]);
}
