import type { ReactElement, ReactNode } from 'react';
import {
  Tooltip as AriaTooltip,
  TooltipTrigger,
  type TooltipProps as AriaTooltipProps,
} from 'react-aria-components/Tooltip';
import styles from './Tooltip.module.css';

export interface TooltipProps {
  label: ReactNode;
  shortcut?: string;
  placement?: AriaTooltipProps['placement'];
  delay?: number;
  /** A pressable or focusable element of React Aria. */
  children: ReactElement;
}

export function Tooltip({ label, shortcut, placement = 'bottom', delay = 600, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={delay} closeDelay={0}>
      {children}
      <AriaTooltip className={styles.tooltip} offset={6} placement={placement}>
        <span>{label}</span>
        {shortcut && <kbd className={styles.shortcut}>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
