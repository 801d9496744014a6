import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ids that agents report are unique per client, so that no client can occupy the id of another. */
export class ReportedIds1766500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE seo_agents DROP CONSTRAINT seo_agents_pkey, ADD PRIMARY KEY (id, client_id);
      ALTER TABLE ads_connections DROP CONSTRAINT ads_connections_pkey, ADD PRIMARY KEY (provider, id, client_id);
    `);
  }

  /** Fails if several clients use the same id. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE seo_agents DROP CONSTRAINT seo_agents_pkey, ADD PRIMARY KEY (id);
      ALTER TABLE ads_connections DROP CONSTRAINT ads_connections_pkey, ADD PRIMARY KEY (provider, id);
    `);
  }
}
