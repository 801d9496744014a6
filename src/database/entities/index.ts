import { ApiKey } from './api-key.entity.js';
import { Asset } from './asset.entity.js';
import { AuditEvent } from './audit-event.entity.js';
import { Client } from './client.entity.js';
import { Folder } from './folder.entity.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RenditionRecord } from './rendition.entity.js';
import { SignIn } from './sign-in.entity.js';
import { TrashBatch } from './trash-batch.entity.js';
import { UploadSession } from './upload-session.entity.js';
import { User } from './user.entity.js';

export const entities = [
  ApiKey,
  Asset,
  AuditEvent,
  Client,
  Folder,
  RefreshToken,
  RenditionRecord,
  SignIn,
  TrashBatch,
  UploadSession,
  User,
];
