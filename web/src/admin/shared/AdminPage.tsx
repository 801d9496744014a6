import type { ReactNode } from 'react';
import { useClientName } from '../../scope/use-client-name';
import { usePageTitle } from '../../ui/use-page-title';
import styles from './AdminPage.module.css';

export interface AdminPageProps {
  title: string;
  description?: ReactNode;
  /** The page's main button. */
  action?: ReactNode;
  /** Filters above the content. */
  filters?: ReactNode;
  children: ReactNode;
}

export function AdminPage({ title, description, action, filters, children }: AdminPageProps) {
  usePageTitle(title, useClientName());
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{title}</h1>
          {description && <p className={styles.description}>{description}</p>}
        </div>
        {action}
      </header>
      {filters && <div className={styles.filters}>{filters}</div>}
      {children}
    </main>
  );
}

/** A titled section of a page. */
export function AdminSection({ title, description, action, children }: Omit<AdminPageProps, 'filters'>) {
  return (
    <section className={styles.section}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h2 className={styles.sectionTitle}>{title}</h2>
          {description && <p className={styles.description}>{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** Content on a separate background. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
