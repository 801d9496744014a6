import { addTexts } from '../../i18n/messages';
import uploads from '../../i18n/en/uploads.json';

addTexts({ uploads });
