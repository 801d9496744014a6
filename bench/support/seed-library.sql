-- Clients with the same number of assets each: half at the top level, a tenth in `Folder 1`, the rest in 49 other folders. The
-- words of titles and tags repeat, as in real libraries. The caller fills in :clients and :assets (per client).
INSERT INTO clients (id, name) SELECT 'seeded-' || n, 'Seeded ' || n FROM generate_series(1, :clients) n;

INSERT INTO folders (id, client_id, name, name_key)
  SELECT overlay(overlay(md5(id || '/' || n) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid, id, 'Folder ' || n, 'folder ' || n
    FROM clients, generate_series(1, 50) n WHERE id LIKE 'seeded-%';

WITH made AS (
  SELECT md5(c.id || '-' || n)::uuid AS id, md5(c.id || '+' || n)::uuid AS session_id, c.id AS client_id, n,
    CASE WHEN n % 2 = 0 THEN overlay(overlay(
      md5(c.id || '/' || CASE WHEN n % 10 = 0 THEN 1 ELSE n / 2 % 49 + 2 END) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid
    END AS folder_id,
    (ARRAY['Storefront','Harvest','Bakery','Portrait','Autumn','Latte','Window','Team'])[n % 8 + 1] || ' '
      || (ARRAY['dawn','night','close','wide','north','south','summer'])[n % 7 + 1] || ' ' || n AS title
  FROM generate_series(1, :assets) n, clients c WHERE c.id LIKE 'seeded-%'
), sessions AS (
  INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, original_filename, mime_type,
      expected_size_bytes, url_expires_at, expires_at)
    SELECT session_id, client_id, sha256(session_id::text::bytea), 'finalized', id, id, n || '.jpg', 'image/jpeg', n, now(), now()
      FROM made
)
INSERT INTO assets (id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
    original_filename, mime_type, size_bytes, sha256, width, height, created_at, taken_at, created_by_kind, created_by_id,
    created_by_name, search_text, fitness, fit_for, fitness_rules)
  SELECT id, client_id, session_id, id, folder_id, title, '', title, ARRAY['tag ' || n % 40, 'tag ' || n % 7], '{}',
    n || '.jpg', 'image/jpeg', n::bigint * 37 % 1000003, md5(id::text), 4032, 3024, timestamptz '2026-01-01' + n * interval '1 minute',
    timestamptz '2025-12-31' + n * interval '1 minute', 'portal_user', md5('creator ' || n % 5)::uuid, 'creator',
    lower(title) || ' tag ' || n % 40 || ' tag ' || n % 7 || ' ' || n || ' jpg',
    -- The fitness of a photograph of 12 megapixels.
    '{"website":{"verdict":"fixable","reasons":[{"code":"too_many_pixels","message":"WordPress accepts up to 2560 px on the longer side","limit":2560,"actual":4032}],"fix":"fit","channels":{"wordpress":"fixable"}},"social":{"verdict":"fixable","reasons":[{"code":"too_wide","message":"Instagram feed accepts widths up to 1440 px","limit":1440,"actual":4032},{"code":"too_many_pixels","message":"Facebook accepts up to 2048 px on the longer side","limit":2048,"actual":4032}],"fix":"fit","channels":{"instagram_feed":"fixable","instagram_reel":"blocked","instagram_reel_cover":"ready","instagram_story":"ready","facebook":"fixable","facebook_story":"ready","linkedin":"ready","x":"ready","tiktok":"fixable","pinterest":"ready","youtube_short":"blocked","youtube_thumbnail":"fixable"}},"gbp":{"verdict":"ready","reasons":[],"fix":null,"channels":{"gbp_photo":"ready","gbp_video":"blocked"}}}',
    '{website,wordpress,social,instagram_feed,instagram_reel_cover,instagram_story,facebook,facebook_story,linkedin,x,tiktok,pinterest,youtube_thumbnail,gbp,gbp_photo}',
    2000000000
    FROM made;
