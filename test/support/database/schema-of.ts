import { query } from '../services/service.js';

const OWN = `relnamespace = 'public'::regnamespace`;

/** Everything that migrations create, one line each. */
const LINES = `
  SELECT format('extension %s', extname) AS line FROM pg_extension
  UNION ALL
  SELECT format('relation %s %s %s', relkind, relname, reloptions) FROM pg_class WHERE ${OWN} AND relkind IN ('r', 'S', 'v')
  UNION ALL
  SELECT concat_ws(' ', 'column', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
                   pg_get_expr(d.adbin, d.adrelid))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE ${OWN} AND c.relkind = 'r' AND a.attnum > 0
  UNION ALL
  SELECT concat_ws(' ', 'constraint', c.relname, k.conname, k.convalidated, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE ${OWN}
  UNION ALL
  SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT format('trigger %s %s', t.tgenabled, translate(pg_get_triggerdef(t.oid), '()', ''))
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE ${OWN} AND NOT t.tgisinternal
  UNION ALL
  SELECT regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g')
    FROM pg_proc p LEFT JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e'
   WHERE p.pronamespace = 'public'::regnamespace AND d.objid IS NULL
  UNION ALL
  SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
  ORDER BY 1`;

/** The schema of a database, with the order of columns. Restoring a dump adds parentheses to conditions of triggers. */
export async function schemaOf(databaseUrl: string): Promise<string[]> {
  return (await query<{ line: string }>(databaseUrl, LINES)).map(({ line }) => line);
}
