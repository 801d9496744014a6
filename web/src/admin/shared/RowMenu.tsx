import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import buttonStyles from '../../ui/Button.module.css';
import { classNames } from '../../ui/class-names';
import { Menu, MenuTrigger } from '../../ui/Menu';

/** The menu at the end of a table row; `label` names the row for screen readers. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <MenuTrigger>
      <Button
        className={classNames(buttonStyles.button, buttonStyles.icon, buttonStyles.ghost)}
        aria-label={label}
      >
        <Ellipsis aria-hidden />
      </Button>
      <Menu placement="bottom end" aria-label={label}>
        {children}
      </Menu>
    </MenuTrigger>
  );
}
