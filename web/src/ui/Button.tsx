import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import styles from './Button.module.css';
import { classNames } from './class-names';

interface Look {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'dangerGhost';
  size?: 'medium' | 'large';
  isWide?: boolean;
  icon?: ReactNode;
  children?: ReactNode;
  className?: string;
}

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'>, Look {
  ref?: Ref<HTMLButtonElement>;
}

function lookOf({ variant = 'secondary', size = 'medium', isWide, className }: Look): string {
  return classNames(
    styles.button,
    styles[variant],
    size === 'large' && styles.large,
    isWide && styles.wide,
    className,
  );
}

export function Button({ variant, size, isWide, icon, children, className, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={lookOf({ variant, size, isWide, className })}>
      {({ isPending }) => (
        <>
          {icon}
          {children !== undefined && <span className={styles.label}>{children}</span>}
          {isPending && (
            <span className={styles.dots} aria-hidden>
              <i />
              <i />
              <i />
            </span>
          )}
        </>
      )}
    </AriaButton>
  );
}

export interface ButtonLinkProps extends Omit<AriaLinkProps, 'children' | 'className'>, Look {}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, isWide, icon, children, className, ...props }: ButtonLinkProps) {
  return (
    <AriaLink {...props} className={lookOf({ variant, size, isWide, className })}>
      {icon}
      <span className={styles.label}>{children}</span>
    </AriaLink>
  );
}
