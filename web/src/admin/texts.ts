import { addTexts } from '../i18n/messages';
import admin from '../i18n/en/admin.json';

addTexts({ admin });
