import { addTexts } from '../../i18n/messages';
import details from '../../i18n/en/details.json';

addTexts({ details });
