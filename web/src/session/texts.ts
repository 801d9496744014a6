import { addTexts } from '../i18n/messages';
import session from '../i18n/en/session.json';

addTexts({ session });
