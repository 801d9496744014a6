import type { ReactNode } from 'react';
import { usePageTitle } from '../ui/use-page-title';
import { EmptyState } from '../ui/EmptyState';

export interface MissingPageProps {
  icon: ReactNode;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

/** Says that there is nothing at the address, and where to go instead. */
export function MissingPage({ title, ...state }: MissingPageProps) {
  usePageTitle(title);
  return (
    <main>
      <div role="alert">
        <EmptyState {...state} title={title} level={1} />
      </div>
    </main>
  );
}
