import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lists of a client's agents and advertising connections. */
export class ReportsByClient1805200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX seo_agents_by_client ON seo_agents (client_id, id);
      CREATE INDEX ads_connections_by_client ON ads_connections (client_id, provider, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX seo_agents_by_client, ads_connections_by_client');
  }
}
