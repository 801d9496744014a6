import { DeliveryError } from '../../delivery-error.js';
import { requireTargetUrl } from '../../target-url.rules.js';
import type { KindDefinition } from '../kind-definition.js';
import type { WordPressConnection, WordPressSettings } from './wordpress-connection.js';
import { homeOf } from './wordpress-discovery.rules.js';
import {
  CreateWordPressTargetDto,
  UpdateWordPressTargetDto,
  WordPressTargetViewDto,
} from './wordpress.dto.js';
import { WordPressSender } from './wordpress.sender.js';
import { verifyWordPress } from './wordpress.verifier.js';

/** The media library of a WordPress site. */
export const WORDPRESS: KindDefinition<CreateWordPressTargetDto, WordPressSettings, WordPressConnection> = {
  createDto: CreateWordPressTargetDto,
  updateDto: UpdateWordPressTargetDto,
  viewDto: WordPressTargetViewDto,
  changeable: ['username'],
  secrets: ['applicationPassword'],
  // WordPress rotates, scales and describes pictures by their metadata. It stores pictures that need none of this unchanged.
  originals: 'website',
  settingsOf: ({ baseUrl, username }) => ({
    baseUrl: homeOf(requireTargetUrl('baseUrl', baseUrl)),
    restRoot: null,
    username,
  }),
  view: ({ baseUrl, username }) => ({ baseUrl, username }),
  auditView: ({ baseUrl, username }) => ({ baseUrl, username }),
  verify: verifyWordPress,
  sender: ({ restRoot, ...connection }, services, onFound) => {
    if (restRoot === null) throw new DeliveryError('target_unverified', 'check');
    return new WordPressSender({ ...connection, restRoot }, services, onFound);
  },
};
