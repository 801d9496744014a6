import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslations } from '../i18n';
import { Button as AriaButton } from 'react-aria-components/Button';
import buttonStyles from '../ui/Button.module.css';
import { classNames } from '../ui/class-names';
import { Menu, MenuItem, MenuTrigger } from '../ui/Menu';
import { setTheme, THEMES, useTheme, type Theme } from './theme';

const ICONS = { light: Sun, dark: Moon, system: Monitor };

/** Light, dark, or the system's theme. */
export function ThemeButton() {
  const t = useTranslations('shell');
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <MenuTrigger>
      <AriaButton
        className={classNames(buttonStyles.button, buttonStyles.icon, buttonStyles.ghost)}
        aria-label={t('theme.label')}
      >
        <Icon aria-hidden />
      </AriaButton>
      <Menu
        placement="bottom end"
        aria-label={t('theme.label')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[theme]}
        onAction={(key) => setTheme(key as Theme)}
      >
        {THEMES.map((each) => {
          const EachIcon = ICONS[each];
          return <MenuItem key={each} id={each} label={t(`theme.${each}`)} icon={<EachIcon aria-hidden />} />;
        })}
      </Menu>
    </MenuTrigger>
  );
}
