const OURS =
  /^(STORAGE_|DATABASE_|TARGETS_|EMBEDDED_|AUTH_|ADMIN_|DEMO_|PG|(DATA_DIR|SECRETS_KEY|HOST|PORT|PUBLIC_URL|CORS_ORIGINS|EMBED_ORIGINS|PAGES_DIR|TRUST_PROXY|WORKER)$)/;

/** The environment without settings of the service: tests must give the same result everywhere. */
export function testEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => process.env.npm_lifecycle_event === 'test:s3' || !OURS.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    IGNORE_ENV_FILE: 'true',
    NODE_ENV: 'test',
    TZ: 'UTC',
  };
}
