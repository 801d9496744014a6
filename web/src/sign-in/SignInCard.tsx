import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { LogoMark } from '../ui/LogoMark';
import { usePageTitle } from '../ui/use-page-title';
import styles from './SignIn.module.css';

interface SignInCardProps {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}

/** The middle of the pages that need no sign-in. */
export function SignInCard({ title, text, children }: SignInCardProps) {
  usePageTitle(title);
  return (
    <div className={styles.card}>
      <div className={styles.logo}>
        <LogoMark />
      </div>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.subtitle}>{text}</p>
      </div>
      {children}
    </div>
  );
}

export function SignInNote({ children }: { children: ReactNode }) {
  return (
    <p className={styles.reason} role="status">
      <Info size={16} aria-hidden />
      {children}
    </p>
  );
}
