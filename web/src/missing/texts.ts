import missing from '../i18n/en/missing.json';
import { addTexts } from '../i18n/messages';

addTexts({ missing });
