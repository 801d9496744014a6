import { AdsConnection } from './ads-connection.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ArchiveLink } from './archive-link.entity.js';
import { Asset } from './asset.entity.js';
import { ClientIntegration } from './client-integration.entity.js';
import { Client } from './client.entity.js';
import { Delivery } from './delivery.entity.js';
import { DomainEvent } from './domain-event.entity.js';
import { Folder } from './folder.entity.js';
import { LandingPage } from './landing-page.entity.js';
import { PasswordLink } from './password-link.entity.js';
import { PickerToken } from './picker-token.entity.js';
import { RefreshToken } from './refresh-token.entity.js';
import { RenditionRecord } from './rendition.entity.js';
import { SeoAgent } from './seo-agent.entity.js';
import { SignIn } from './sign-in.entity.js';
import { Target } from './target.entity.js';
import { TrashBatch } from './trash-batch.entity.js';
import { UploadSession } from './upload-session.entity.js';
import { Usage } from './usage.entity.js';
import { User } from './user.entity.js';

export const entities = [
  AdsConnection,
  ApiKey,
  ArchiveLink,
  Asset,
  Client,
  ClientIntegration,
  Delivery,
  DomainEvent,
  Folder,
  LandingPage,
  PasswordLink,
  PickerToken,
  RefreshToken,
  RenditionRecord,
  SeoAgent,
  SignIn,
  Target,
  TrashBatch,
  UploadSession,
  Usage,
  User,
];
