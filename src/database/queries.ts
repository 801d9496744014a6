/** Runs SQL: an `EntityManager`, or a connection of `Reads`. */
export interface Queries {
  /** A named query is prepared once per connection, if the connection supports it. The name identifies the text. */
  query<Rows>(sql: string, values?: unknown[], name?: string): Promise<Rows>;
}
