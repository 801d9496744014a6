import { addTexts } from '../../i18n/messages';
import lightbox from '../../i18n/en/lightbox.json';

addTexts({ lightbox });
