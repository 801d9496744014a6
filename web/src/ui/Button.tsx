import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './Button.module.css';
import { classNames } from './class-names';

export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'dangerGhost';
  size?: 'medium' | 'large';
  isWide?: boolean;
  icon?: ReactNode;
  children?: ReactNode;
  className?: string;
}

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'>, ButtonLook {
  ref?: Ref<HTMLButtonElement>;
}

export function buttonClass({
  variant = 'secondary',
  size = 'medium',
  isWide,
  className,
}: ButtonLook): string {
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
    <AriaButton {...props} className={buttonClass({ variant, size, isWide, className })}>
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
