import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import { buttonClass, type ButtonLook } from './Button';
import styles from './Button.module.css';

export interface ButtonLinkProps extends Omit<AriaLinkProps, 'children' | 'className'>, ButtonLook {}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, isWide, icon, children, className, ...props }: ButtonLinkProps) {
  return (
    <AriaLink {...props} className={buttonClass({ variant, size, isWide, className })}>
      {icon}
      <span className={styles.label}>{children}</span>
    </AriaLink>
  );
}
