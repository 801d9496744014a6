import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { MediaDetails, SupportedMime } from '../../media/media.types.js';
import { bigintAsNumber } from '../bigint.transformer.js';

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

  /** The searchable text; see `searchTextOf`. */
  @Column('text', { select: false })
  searchText: string;

  /** Null means live; otherwise the batch it was trashed with. */
  @Column('uuid', { nullable: true })
  batchId: string | null;

  @Column('integer')
  version: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
