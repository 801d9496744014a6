import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Surface } from '../../assets/surface.rules.js';
import type { AssetFitness } from '../../fitness/fitness.rules.js';
import type { MediaDetails, SupportedMime } from '../../media/media.types.js';
import { bigintAsNumber } from '../bigint.transformer.js';

/** The point of a picture that crops keep in view; from 0 to 1, from the left and from the top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

@Entity('assets')
export class Asset {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  clientId: string;

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

  /** As seen upright. */
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

  /** Null: uploaded before these were gathered. */
  @Column('jsonb', { nullable: true })
  mediaFacts: MediaDetails | null;

  /** Null: chosen for each crop by what is in the picture. */
  @Column('jsonb', { nullable: true })
  focalPoint: FocalPoint | null;

  @Column('json', { nullable: true })
  fitness: AssetFitness;

  /** Kept by triggers of the usages. */
  @Column('integer', { default: 0 })
  usages: number;

  /** What a search looks at; see `searchTextOf`. */
  @Column('text', { select: false })
  searchText: string;

  /** Null = live; otherwise what it was trashed with. */
  @Column('uuid', { nullable: true })
  batchId: string | null;

  @Column('integer')
  version: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
