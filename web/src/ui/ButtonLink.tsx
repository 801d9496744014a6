import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import { buttonClass, type ButtonLook } from './Button';
import styles from './Button.module.css';
import { classNames } from './class-names';

export interface ButtonLinkProps extends Omit<AriaLinkProps, 'children' | 'className'>, ButtonLook {}

/** A link that looks like a button. Without children, it is only the icon and needs a label. */
export function ButtonLink({ variant, size, isWide, icon, children, className, ...props }: ButtonLinkProps) {
  return (
    <AriaLink
      {...props}
      className={classNames(
        buttonClass({ variant, size, isWide, className }),
        children === undefined && styles.icon,
      )}
    >
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </AriaLink>
  );
}
