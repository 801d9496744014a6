import assets from './en/assets.json';
import folders from './en/folders.json';
import upload from './en/upload.json';

export const libraryTexts = { assets, folders, upload };
