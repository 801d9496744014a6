import trash from '../i18n/en/trash.json';
import { addTexts } from '../i18n/messages';

addTexts({ trash });
