import dialogs from '../i18n/en/dialogs.json';
import { addTexts } from '../i18n/messages';

/** Texts of what people open on demand; its modules import this one. */
addTexts({ dialogs });
