import admin from './en/admin.json';
import assets from './en/assets.json';
import common from './en/common.json';
import details from './en/details.json';
import events from './en/events.json';
import folders from './en/folders.json';
import lightbox from './en/lightbox.json';
import picker from './en/picker.json';
import session from './en/session.json';
import shell from './en/shell.json';
import trash from './en/trash.json';
import ui from './en/ui.json';
import upload from './en/upload.json';

/** One catalogue, a file per feature folder. A translation is another folder beside `en/`. */
export const messages = {
  admin,
  assets,
  common,
  details,
  events,
  folders,
  lightbox,
  picker,
  session,
  shell,
  trash,
  ui,
  upload,
};
export type Messages = typeof messages;
