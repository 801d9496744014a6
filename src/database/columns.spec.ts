import 'reflect-metadata';
import { columnsOf, typeOf } from './columns.js';
import { Asset } from './entities/asset.entity.js';
import { Delivery } from './entities/delivery.entity.js';

const listed = (text: string) => text.split(', ');

describe('columnsOf', () => {
  it('names each column after its property', () => {
    expect(listed(columnsOf(Asset))).toEqual(
      expect.arrayContaining(['id AS "id"', 'alt_text AS "altText"', 'created_at AS "createdAt"']),
    );
    expect(listed(columnsOf(Asset, 'a'))).toContain('a.folder_id AS "folderId"');
  });

  it('returns byte sizes and durations as numbers', () => {
    expect(listed(columnsOf(Asset))).toContain('size_bytes::float8 AS "sizeBytes"');
    expect(listed(columnsOf(Delivery))).toContain('sent_sizes::float8[] AS "sentSizes"');
  });

  it('leaves out what is not selected by default and what is computed', () => {
    expect(columnsOf(Asset)).not.toMatch(/search|fit_for|fitness_rules/);
    expect(columnsOf(Delivery)).not.toMatch(/due_in_seconds|silent_seconds/);
  });
});

describe('typeOf', () => {
  it('is the type in SQL', () => {
    expect(['altText', 'tags', 'folderId', 'focalPoint'].map((each) => typeOf(Asset, each))).toEqual([
      'text',
      'text[]',
      'uuid',
      'jsonb',
    ]);
  });
});
