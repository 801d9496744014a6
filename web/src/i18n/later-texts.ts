import account from './en/account.json';
import admin from './en/admin.json';
import commands from './en/commands.json';
import details from './en/details.json';
import dialogs from './en/dialogs.json';
import filters from './en/filters.json';
import lightbox from './en/lightbox.json';
import missing from './en/missing.json';
import picker from './en/picker.json';
import shortcuts from './en/shortcuts.json';
import storage from './en/storage.json';
import trash from './en/trash.json';
import uploads from './en/uploads.json';

export const laterTexts = {
  account,
  admin,
  commands,
  details,
  dialogs,
  filters,
  lightbox,
  missing,
  picker,
  shortcuts,
  storage,
  trash,
  uploads,
};
