import dialogs from '../i18n/en/dialogs.json';
import { addTexts } from '../i18n/messages';

/** Texts of dialogs and menus that are loaded on demand. Their modules import this one. */
addTexts({ dialogs });
