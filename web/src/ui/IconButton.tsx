import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './Button.module.css';
import { classNames } from './class-names';
import { Tooltip, type TooltipProps } from './Tooltip';

export interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'aria-label'> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  icon: ReactNode;
  shortcut?: string;
  variant?: 'primary' | 'secondary' | 'ghost' | 'dangerGhost';
  /** A toggle that is on. */
  isSelected?: boolean;
  tooltipPlacement?: TooltipProps['placement'];
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({
  label,
  icon,
  shortcut,
  variant = 'ghost',
  isSelected,
  tooltipPlacement,
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut} placement={tooltipPlacement}>
      <AriaButton
        {...props}
        aria-label={label}
        aria-pressed={isSelected}
        className={classNames(
          styles.button,
          styles.icon,
          styles[variant],
          isSelected && styles.selected,
          className,
        )}
      >
        {icon}
      </AriaButton>
    </Tooltip>
  );
}
