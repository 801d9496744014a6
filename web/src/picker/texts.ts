import { addTexts } from '../i18n/messages';
import picker from '../i18n/en/picker.json';

addTexts({ picker });
