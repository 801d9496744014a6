/** Runs SQL: an `EntityManager`, or a connection of `Reads`. */
export interface Queries {
  /** A named query is planned once per connection, where the connection supports it. The name stands for the text. */
  query<Rows>(sql: string, values?: unknown[], name?: string): Promise<Rows>;
}
