import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import type { SupportedMime } from '../../media/file-types.js';
import type { MediaDetails } from '../../media/media.types.js';
import { bigintAsNumber } from '../bigint.transformer.js';
import { Client } from './client.entity.js';
import { Folder } from './folder.entity.js';
import { TrashBatch } from './trash-batch.entity.js';
import { isOneOf, onlyOf } from './one-of.js';

/** Where an asset may be used (specification, section 2). An empty list means everywhere. */
export const SURFACES = ['website', 'social', 'gbp'] as const;
export type Surface = (typeof SURFACES)[number];

/** Whether a file meets the publishing limits of a surface or channel. */
export const VERDICTS = ['ready', 'fixable', 'blocked'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A limit that the file violates. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly limit: number | string;
  readonly actual: number | string;
}

/** As in the asset record. */
export interface SurfaceFitness {
  readonly verdict: Verdict;
  readonly reasons: Reason[];
  readonly fix: 'fit' | null;
  /** By the name of the channel. */
  readonly channels: Readonly<Record<string, Verdict>>;
}

export type AssetFitness = Record<Surface, SurfaceFitness>;

/** Who created an asset. The portal shows only portal users by name. */
export const CREATOR_KINDS = ['portal_user', 'user', 'api_key', 'system'] as const;
export type CreatorKind = (typeof CREATOR_KINDS)[number];

/** The point of a picture that crops keep in view; from 0 to 1, from the left and from the top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

@Entity('assets')
@ForeignKey(() => Client, ['clientId'], ['id'], { name: 'assets_client_id_fkey' })
@ForeignKey(() => Folder, ['clientId', 'folderId'], ['clientId', 'id'], {
  name: 'assets_folder_fkey',
  onDelete: 'SET NULL',
})
@ForeignKey(() => TrashBatch, ['clientId', 'batchId'], ['clientId', 'id'], { name: 'assets_batch_fkey' })
@Unique('assets_client_id_id_key', ['clientId', 'id'])
@Unique('assets_session_key', ['sessionId'])
@Check('assets_allowed_surfaces_check', onlyOf('allowed_surfaces', SURFACES))
@Check('assets_created_by_kind_check', isOneOf('created_by_kind', CREATOR_KINDS))
@Index('assets_by_batch', ['clientId', 'batchId', 'id'], { where: 'batch_id IS NOT NULL' })
@Index('assets_by_duplicate', ['clientId', 'duplicateOf'], { where: 'duplicate_of IS NOT NULL' })
@Index('assets_by_fitness_rules', ['fitnessRules'])
@Index('assets_by_folder_newest', ['clientId', 'folderId', 'createdAt', 'id'], { where: 'batch_id IS NULL' })
@Index('assets_by_folder_size', ['clientId', 'folderId', 'sizeBytes', 'id'], { where: 'batch_id IS NULL' })
@Index('assets_by_hash', ['clientId', 'sha256'])
@Index('assets_in_folder', ['clientId', 'folderId'])
@Index('assets_in_use', ['clientId', 'folderId'], { where: 'batch_id IS NULL AND usages > 0' })
@Index('assets_without_alt_text', ['clientId', 'folderId'], { where: `batch_id IS NULL AND alt_text = ''` })
@Index('assets_by_creator', ['clientId', 'createdByKind', 'createdById', 'folderId'], {
  where: 'batch_id IS NULL AND created_by_kind IS NOT NULL',
})
@Index('assets_copies', ['clientId', 'sha256'], { where: 'is_copy' })
@Index('assets_by_taken', ['clientId', 'takenAt'], { where: 'batch_id IS NULL AND taken_at IS NOT NULL' })
@Index('assets_by_filter', { synchronize: false })
@Index('assets_by_folder_title', ['clientId', 'folderId', 'titleKey', 'id'], { where: 'batch_id IS NULL' })
@Index('assets_by_newest', { synchronize: false })
@Index('assets_by_shape', { synchronize: false })
@Index('assets_by_size', { synchronize: false })
@Index('assets_by_title', { synchronize: false })
@Index('assets_search_characters', { synchronize: false })
@Index('assets_search_text', { synchronize: false })
@Index('assets_search_words', { synchronize: false })
export class Asset {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

  /** The id of the asset itself if it was adopted: made again from its stored file, without a session. */
  @Column('uuid')
  sessionId: string;

  /** The last part of the key under which the bytes are kept. */
  @Column('uuid')
  attempt: string;

  /** Null = top level. */
  @Column('uuid', { nullable: true })
  folderId: string | null;

  @Column('text')
  title: string;

  @Column('text')
  description: string;

  @Column('text')
  altText: string;

  @Column('text', { array: true })
  tags: string[];

  /** Empty = universal. */
  @Column('text', { array: true })
  allowedSurfaces: Surface[];

  @Column('text')
  originalFilename: string;

  @Column('text')
  mimeType: SupportedMime;

  @Column('bigint', { transformer: bigintAsNumber })
  sizeBytes: number;

  @Column('text')
  sha256: string;

  /** In the upright orientation. */
  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  durationMs: number | null;

  @Column('timestamptz', { nullable: true })
  takenAt: Date | null;

  @Column('text', { nullable: true })
  placeholder: string | null;

  @Column('uuid', { nullable: true })
  duplicateOf: string | null;

  /** Null if uploaded before these facts were collected. */
  @Column('jsonb', { nullable: true })
  mediaFacts: MediaDetails | null;

  /** Null means that it is chosen automatically for each crop. */
  @Column('jsonb', { nullable: true })
  focalPoint: FocalPoint | null;

  @Column('json', { nullable: true })
  fitness: AssetFitness;

  /** Maintained by triggers on the usages. */
  @Column('integer', { default: 0 })
  usages: number;

  /** The title in natural order: 1, 2, 10. Set by a trigger, so that it is stored once instead of computed for every asset of a list. */
  @Column({ type: 'text', collation: 'C', default: '', select: false, insert: false, update: false })
  readonly titleKey?: string;

  /** When it was created, the client had an asset with the same bytes, perhaps in the trash. Narrows the search for duplicates. */
  @Column({ type: 'boolean', default: false, select: false, update: false })
  readonly isCopy?: boolean;

  /** The searchable text; see `searchTextOf`. */
  @Column('text', { select: false, default: '' })
  searchText: string;

  /** The words of `searchText`; only queries use it. */
  @Column({
    type: 'tsvector',
    generatedType: 'STORED',
    asExpression: "to_tsvector('simple', search_text)",
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  readonly search?: string;

  /** Written together with `fitness`, by SQL: the surfaces and channels whose limits the file meets, each also with its verdict. */
  @Column({ type: 'text', array: true, nullable: true, select: false, update: false })
  readonly fitFor?: readonly string[] | null;

  /** The version of the rules behind `fitness`. */
  @Column({ type: 'integer', default: 0, select: false, update: false })
  readonly fitnessRules?: number;

  /** Null if unknown. */
  @Column('text', { nullable: true })
  createdByKind: CreatorKind | null;

  /** The user or API key. */
  @Column('uuid', { nullable: true })
  createdById: string | null;

  @Column('text', { nullable: true })
  createdByName: string | null;

  /** Null means live; otherwise the batch it was trashed with. */
  @Column('uuid', { nullable: true })
  batchId: string | null;

  @Column('integer', { default: 1 })
  version: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}

/** The fields that name the stored file of an asset and describe its bytes. */
export type StoredAsset = Pick<
  Asset,
  'id' | 'clientId' | 'attempt' | 'originalFilename' | 'mimeType' | 'sizeBytes' | 'sha256'
>;
