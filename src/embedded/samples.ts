import type { Surface } from '../database/entities/asset.entity.js';
import type { SupportedMime } from '../media/file-types.js';

/** One of the demo client's files in `samples/`, drawn by `scripts/make-samples.mjs`. */
export interface SampleAsset {
  file: string;
  mimeType: SupportedMime;
  title: string;
  description: string;
  altText: string;
  tags: string[];
  /** An empty list means every surface. */
  allowedSurfaces: Surface[];
  /** The folder's path; undefined means the top level. */
  folder?: string;
}

/** A fictional bakery, "Morning Crumb", with at least one file of each supported type. */
export const sampleAssets: SampleAsset[] = [
  {
    file: 'storefront.jpg',
    mimeType: 'image/jpeg',
    title: 'Storefront at daybreak',
    description:
      'The shop before opening: lights on, first loaves on the shelves. For the business profile and the contact page.',
    altText: 'Bakery front in dark green with a red and cream striped awning and loaves in the lit window',
    tags: ['storefront', 'exterior', 'morning'],
    allowedSurfaces: ['website', 'gbp'],
    folder: 'Shop',
  },
  {
    file: 'emblem.png',
    mimeType: 'image/png',
    title: 'Morning Crumb emblem',
    description:
      'The round mark with a sheaf of wheat, on a transparent ground. Use it on light backgrounds.',
    altText: 'Round terracotta emblem with a golden sheaf of wheat',
    tags: ['brand', 'logo'],
    allowedSurfaces: [],
    folder: 'Brand',
  },
  {
    file: 'latte.webp',
    mimeType: 'image/webp',
    title: 'Latte with a poured heart',
    description: 'Seen from above on the wooden counter. Square, made for feeds.',
    altText: 'Cup of latte with a heart in the milk foam on a pale green saucer, with coffee beans around it',
    tags: ['coffee', 'latte', 'drinks'],
    allowedSurfaces: ['social'],
    folder: 'Social',
  },
  {
    file: 'berry-cake.jpg',
    mimeType: 'image/jpeg',
    title: 'Berry layer cake',
    description: 'Three layers, chocolate glaze, fresh berries. The June special; upright format.',
    altText: 'Layer cake with chocolate glaze and berries on a white cake stand before a pink wall',
    tags: ['cake', 'berries', 'seasonal'],
    allowedSurfaces: ['website', 'social'],
    folder: 'Products',
  },
  {
    file: 'wheat-field.heic',
    mimeType: 'image/heic',
    title: 'Wheat field at sunset',
    description: 'Where the flour comes from: the fields of the mill that supplies the bakery.',
    altText: 'Golden wheat field under an evening sky with the sun setting behind low hills',
    tags: ['wheat', 'landscape', 'origin'],
    allowedSurfaces: ['website'],
  },
  {
    file: 'steam.mp4',
    mimeType: 'video/mp4',
    title: 'Morning coffee, steaming',
    description: 'Four seconds that loop without a seam: steam rising from the house cup. Silent.',
    altText: 'Steam rising from a white coffee cup on a wooden table by a window',
    tags: ['coffee', 'loop', 'video'],
    allowedSurfaces: ['website', 'social'],
    folder: 'Social',
  },
];
