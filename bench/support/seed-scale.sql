-- One client with 1,000,000 assets, one with 10,000, one that keeps 5,000 and has a folder of 300,000 in its trash, and 100
-- small ones with 200 each. Words, tags and folders are distributed as unevenly as in real libraries: the most common word is
-- in about half of the texts, most words are in a few. :factor scales the number of assets.
SELECT setseed(0.42);

CREATE TEMP TABLE seeded AS
  SELECT 'big' AS id, (1000000 * :factor)::int AS assets, 2000 AS folders, 0 AS trashed
  UNION ALL SELECT 'medium', (10000 * :factor)::int, 100, 0
  UNION ALL SELECT 'emptied', (305000 * :factor)::int, 100, (300000 * :factor)::int
  UNION ALL SELECT 'small-' || n, 200, 10, 0 FROM generate_series(1, 100) n;
INSERT INTO clients (id, name) SELECT id, id FROM seeded;

-- Folder 1 is large. All others are below folder 2, most with up to ten folders each.
CREATE FUNCTION pg_temp.folder(client text, n int) RETURNS uuid IMMUTABLE LANGUAGE sql AS
  $$ SELECT overlay(overlay(md5(client || '/' || n) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid $$;
INSERT INTO folders (id, client_id, parent_id, name, name_key)
  SELECT pg_temp.folder(id, n), id, CASE WHEN n > 2 THEN pg_temp.folder(id, greatest(2, n / 10)) END, 'Folder ' || n, 'folder ' || n
    FROM seeded, generate_series(1, folders) n ORDER BY id, n;

-- Word n is used about 1/n as often as word 1.
CREATE TEMP TABLE phrases AS
  SELECT n, string_agg(word, ' ') FILTER (WHERE at <= 3) AS title, string_agg(word, ' ') FILTER (WHERE at > 3) AS description
    FROM (SELECT n, at, translate(to_char(rank * 7919 % 99991, 'FM00000'), '0123456789', 'aeioubdlmr')
              || (ARRAY['st', 'nt', 'rk', 'ng', 'sh', 'ld'])[rank % 6 + 1] AS word
            FROM (SELECT n, at, floor(exp(random() * ln(20000)))::int AS rank
                    FROM generate_series(0, 99990) n, generate_series(1, 11) at) AS ranks) AS words
   GROUP BY n;
ANALYZE phrases;

CREATE TEMP TABLE made AS
  SELECT md5(s.id || '-' || i)::uuid AS id, md5(s.id || '+' || i)::uuid AS session_id, s.id AS client_id, i AS n,
    CASE WHEN i > s.assets - s.trashed OR (s.trashed = 0 AND i % 10 < 3) THEN pg_temp.folder(s.id, 1)
         WHEN i % 10 < 9 THEN pg_temp.folder(s.id, 1 + floor(exp(random() * ln(folders)))::int % folders) END AS folder_id,
    t.title || CASE WHEN i % 50 = 0 THEN ' ' || chr(19968 + floor(exp(random() * 8))::int) || chr(19968 + floor(exp(random() * 8))::int)
      || chr(19968 + floor(exp(random() * 8))::int) ELSE '' END AS title,
    CASE WHEN i % 3 > 0 THEN d.description ELSE '' END AS description,
    ARRAY(SELECT DISTINCT 'tag ' || floor(exp(random() * ln(201)))::int FROM generate_series(1, i % 5)) AS tags,
    CASE WHEN i / 10 % 10 < 6 THEN '{}' WHEN i / 10 % 10 < 8 THEN '{website}' WHEN i / 10 % 20 < 19 THEN '{social}' ELSE '{gbp}' END::text[]
      AS surfaces,
    CASE WHEN random() < 0.6 THEN 'IMG_' || to_char(i % 10000, 'FM0000') WHEN random() < 0.5 THEN 'DSC' || to_char(i % 100000, 'FM00000')
         ELSE 'PXL_' || to_char(timestamp '2021-01-01' + i * interval '150 seconds', 'YYYYMMDD_HH24MISS') END AS stem,
    (ARRAY['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4'])[
      CASE WHEN i % 97 < 82 THEN 1 WHEN i % 97 < 90 THEN 2 WHEN i % 97 < 94 THEN 3 WHEN i % 97 < 96 THEN 4 ELSE 5 END] AS mime_type,
    (exp(random() * 9) * 2000)::bigint AS size_bytes
  FROM seeded s CROSS JOIN LATERAL generate_series(1, s.assets) i
    JOIN phrases t ON t.n = i * 7919::bigint % 99991 JOIN phrases d ON d.n = i * 6101::bigint % 99991
 ORDER BY i;

INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, original_filename, mime_type,
    expected_size_bytes, url_expires_at, expires_at)
  SELECT session_id, client_id, sha256(session_id::text::bytea), 'finalized', id, id, stem, mime_type, size_bytes, now(), now() FROM made;
INSERT INTO assets (id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
    original_filename, mime_type, size_bytes, sha256, width, height, usages, created_at, taken_at, created_by_kind, created_by_id,
    created_by_name, title_key, is_copy, search_text)
  SELECT id, client_id, session_id, id, folder_id, title, description, CASE WHEN n % 1000 = 9 THEN '' ELSE title END, tags, surfaces,
    stem || '.' || split_part(mime_type, '/', 2), mime_type, size_bytes,
    encode(sha256((client_id || '-' || n - (n % 1000 = 1)::int)::bytea), 'hex'),
    CASE WHEN n % 1000 = 7 THEN 12000 WHEN n % 10 = 4 THEN 3024 ELSE 4032 END, CASE WHEN n % 1000 = 8 THEN 4032 WHEN n % 10 = 4 THEN 4032 ELSE 3024 END,
    (n % 1000 < 3)::int, timestamptz '2021-01-01' + n * interval '150 seconds',
    CASE WHEN n % 4 > 0 THEN timestamptz '2020-12-31' + n * interval '150 seconds' END,
    CASE WHEN n % 1000 = 6 THEN 'portal_user' WHEN n % 10 = 3 THEN 'api_key' ELSE 'user' END,
    md5('creator ' || CASE WHEN n % 1000 = 6 THEN 0 WHEN n % 10 = 3 THEN 1 ELSE 2 + n % 7 END)::uuid, 'creator', natural_key(title), n % 1000 = 1,
    rtrim(concat_ws(' ', title, nullif(description, ''), nullif(array_to_string(tags, ' '), ''), lower(translate(stem, '_', ' '))))
    FROM made;

INSERT INTO asset_counts (client_id, folder_id, tag, assets)
  SELECT client_id, folder_id, tag, count(*) FROM made, unnest(array_append(tags, '')) AS tag GROUP BY client_id, folder_id, tag;

CREATE TEMP TABLE batches AS
  SELECT gen_random_uuid() AS id, id AS client_id, pg_temp.folder(id, 1) AS folder_id, trashed FROM seeded WHERE trashed > 0;
INSERT INTO trash_batches (id, client_id, folder_id, name, folders, assets, trashed_by)
  SELECT id, client_id, folder_id, 'Folder 1', 1, trashed, 'bench' FROM batches;
UPDATE folders SET batch_id = batches.id FROM batches WHERE folders.id = batches.folder_id;
