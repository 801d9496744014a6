import assets from '../i18n/en/assets.json';
import folders from '../i18n/en/folders.json';
import upload from '../i18n/en/upload.json';
import { addTexts } from '../i18n/messages';

addTexts({ assets, folders, upload });
