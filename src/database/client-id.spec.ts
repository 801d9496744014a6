import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import ts from 'typescript';
import { entities } from './entities/index.js';

/** Statements whose condition does not contain the client id, and why that is safe. */
const EXCEPTIONS: Record<string, string> = {
  // Background work for all clients.
  'FitnessRepository.lockOutdated': 'computes the fitness of the assets of all clients',
  'TrashBatchesRepository.markExpired': 'empties the trash of all clients',
  'UploadSessionsRepository.deleteEnded': 'deletes the ended sessions of all clients',
  'UploadSessionsRepository.findOverdue': 'expires the sessions of all clients',
  'UploadSessionsRepository.findDueUploads': 'deletes the uploads of all clients',
  'UploadSessionsRepository.setUploadsDeleted': 'deletes the uploads of all clients',
  'UploadSessionsRepository.postponeUploadDeletion': 'deletes the uploads of all clients',
  'TargetsRepository.findEncryptedOtherwise': 're-encrypts the credentials of all clients',
  'ObjectOwnersRepository.findLongestSilence':
    'compares the bucket, which all clients share, with all records',
  'ObjectOwnersRepository.findSessions': 'determines the owner of an object, if it has one',
  'ObjectOwnersRepository.findRecords': 'determines the owner of an object, if it has one',
  'EventsRepository.findAfter':
    'reads the changes of all clients once; each stream receives those of its client',
  'EventsRepository.findNewest': 'the order of events is one for all clients',
  'EventsRepository.findPosition': 'the order of events is one for all clients',
  'EventsRepository.deleteOld': 'deletes the old changes of all clients',
  FIND_NEXT: 'chooses among the deliveries of all clients',
  'DeliveriesRepository.findLost': 'ends lost attempts of all clients',
  'AdoptionRepository.findTaken':
    'an original in the bucket names an asset id, which is unique among all clients',
  'AdoptionRepository.findFilenames':
    'an original in the bucket names an asset id, which is unique among all clients',
  'LandingPagesRepository.findBySlug': 'slugs are public, and unique among all clients',
  // Statements about callers, or for them, that span clients.
  'ArchiveLinksRepository.deleteOldest': 'the links of one caller, with every client',
  'ArchiveLinksRepository.deleteOld': 'deletes the expired links of all clients',
  'PickerTokensRepository.exchange': 'the hash of the token identifies the row, which names its client',
  'PickerTokensRepository.deleteExpired': 'deletes the expired tokens of all clients',
  FIND_ACTIVE_PICKER: 'the hash of the token identifies the row, which names its client',
  // Audit events: `AuditRange` says whose.
  statementOf: 'binds the client ids of its range, or none for owners of all clients',
  ACTIONS: 'the names of actions, which are no one client’s',
  'AuditRepository.deleteBefore': 'deletes the old sign-ins of everyone',
  // A subquery that renames its columns for the enclosing statement, which contains the client id.
  'CandidateBuilder.usedOn': 'the condition is on user_client',
};

/** Maintained by triggers, without an entity. */
const TABLES_WITHOUT_ENTITY = ['asset_counts'];

/** The condition that each part built by another function adds to a statement. */
const SCOPED_PARTS = new Map([['build.live()', 'client_id = $1']]);

const SOURCES = join(__dirname, '..');
const storage = getMetadataArgsStorage();
const owned = entities.filter((entity) =>
  storage.columns.some(({ target, propertyName }) => target === entity && propertyName === 'clientId'),
);
const OWNED_ENTITIES = new Set(owned.map(({ name }) => name));
const OWNED_TABLES = [
  ...storage.tables.flatMap(({ target, name }) =>
    owned.some((entity) => entity === target) && name !== undefined ? [name] : [],
  ),
  ...TABLES_WITHOUT_ENTITY,
];
const TABLE = new RegExp(String.raw`\b(?:FROM|JOIN|UPDATE)\s+(?:${OWNED_TABLES.join('|')})\b`, 'g');
/**
 * A condition on the client id, or an id that another part of the same statement has found within the client. Listings
 * find their page in an index first, and a second condition would let the planner read all assets of the client instead
 * of looking up each by its key.
 */
const CONDITION = /\bclient_id\b\s*=|=\s*(?:\w+\.)?client_id\b|\bid = (?:candidate|entry|match|page)_id\b/g;
const ENTITY_METHODS = /^(find|count|exists|update|delete|createQueryBuilder|softDelete|restore|increment)/;

/** The location of a statement: the method or constant that contains it. */
function placeOf(node: ts.Node): string {
  const names: string[] = [];
  for (let each: ts.Node | undefined = node; each; each = each.parent) {
    const named =
      ts.isMethodDeclaration(each) ||
      ts.isClassDeclaration(each) ||
      ts.isFunctionDeclaration(each) ||
      isConstant(each)
        ? each.name
        : undefined;
    if (named) names.unshift(named.getText());
  }
  return names.join('.');
}

function isConstant(node: ts.Node): node is ts.VariableDeclaration {
  return ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
}

/** The text of a string or template, with variables of the same function or file replaced by their values. */
function textOf(node: ts.Node, depth = 0): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map((span) => partOf(span.expression, depth) + span.literal.text).join('')
    );
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, depth);
  if (ts.isConditionalExpression(node))
    return `${textOf(node.whenTrue, depth)} ${textOf(node.whenFalse, depth)}`;
  const source = node.getText();
  return [...SCOPED_PARTS].reduce((text, [part, condition]) => text.replaceAll(part, condition), source);
}

function partOf(expression: ts.Expression, depth: number): string {
  const scoped = SCOPED_PARTS.get(expression.getText());
  if (scoped !== undefined) return scoped;
  if (!ts.isIdentifier(expression) || depth > 3) return '…';
  for (let scope: ts.Node = expression.parent; ; scope = scope.parent) {
    const initializer = declaredIn(scope, expression.text);
    if (initializer) return textOf(initializer, depth + 1);
    if (ts.isSourceFile(scope)) return '…';
  }
}

function declaredIn(scope: ts.Node, name: string): ts.Expression | undefined {
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return undefined;
  return scope.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name)?.initializer;
}

/** Splits a statement into its SELECTs: each one in parentheses or joined by UNION needs a separate condition. */
function selectsIn(sql: string): string[] {
  const open: string[] = [''];
  const closed: string[] = [];
  for (const character of sql) {
    if (character === '(') open.push('');
    else if (character === ')' && open.length > 1) closed.push(open.pop()!);
    else open[open.length - 1] += character;
  }
  return [...closed, ...open].flatMap((part) => part.split(/\bUNION\b/));
}

function lacksClient(sql: string): boolean {
  return selectsIn(sql).some((part) => {
    const tables = part.match(TABLE)?.length ?? 0;
    return tables > (part.match(CONDITION)?.length ?? 0);
  });
}

/** Calls such as `manager.update(Folder, { clientId, id }, …)`. */
function isUnscopedCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [entity, ...rest] = node.arguments;
  if (!entity || !OWNED_ENTITIES.has(entity.getText()) || !ENTITY_METHODS.test(node.expression.name.text))
    return false;
  if (node.expression.name.text === 'createQueryBuilder')
    return !/client_id = :clientId/.test(statementOf(node).getText());
  const [condition] = rest;
  if (!condition) return true;
  return ![condition.getText(), ...spreadValues(condition)].some((text) => /\bclientId\b/.test(text));
}

/** The values of `...same` in a condition. */
function spreadValues(condition: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node)) found.push(partOf(node.expression, 0));
    ts.forEachChild(node, visit);
  };
  visit(condition);
  return found;
}

function statementOf(node: ts.Node): ts.Node {
  let each = node;
  while (each.parent && !ts.isStatement(each)) each = each.parent;
  return each;
}

/** Parsing is slow, and most files contain no statement. */
const MAY_HOLD_STATEMENTS = /\b(FROM|JOIN|UPDATE|manager|createQueryBuilder)\b/;

function unscopedIn(file: string, text = readFileSync(file, 'utf8')): string[] {
  if (!MAY_HOLD_STATEMENTS.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if ((isText && lacksClient(textOf(node))) || isUnscopedCall(node)) found.add(placeOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('migrations'))
    .map((name) => join(SOURCES, name));
}

describe('Statements on tables of clients', () => {
  it('contain the client id in every condition', () => {
    const unscoped = sourceFiles().flatMap((file) =>
      unscopedIn(file).map((place) => ({ place, file: relative(SOURCES, file) })),
    );
    expect(unscoped.filter(({ place }) => !(place in EXCEPTIONS))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((known) => !unscoped.some(({ place }) => place === known))).toEqual(
      [],
    );
  });

  it.each([
    ['SQL', 'class A { b() { this.manager.query(`UPDATE assets SET title = $1 WHERE id = $2`); } }'],
    [
      'a nested SELECT',
      'class A { b() { this.manager.query(`DELETE FROM folders WHERE client_id = $1 AND id IN (SELECT folder_id FROM assets)`); } }',
    ],
    [
      'one half of a UNION',
      'class A { b() { this.manager.query(`SELECT id FROM assets WHERE client_id = $1 UNION SELECT id FROM folders`); } }',
    ],
    [
      'a join',
      'class A { b() { this.manager.query(`SELECT 1 FROM usages u JOIN assets a ON a.id = u.asset_id WHERE u.client_id = $1`); } }',
    ],
    ['an entity', 'class A { b() { this.manager.update(Folder, { id }, { name }); } }'],
    ['a query builder', "class A { b() { return this.manager.createQueryBuilder(Target, 't').getMany(); } }"],
  ])('are reported when %s lacks it', (_kind, code) => {
    expect(unscopedIn('a.ts', code)).toEqual(['A.b']);
  });

  it('may build the condition from parts', () => {
    const code = `const BY_ID = 'client_id = $1 AND id = $2';
      class A { b() { const same = { clientId, id }; this.manager.find(Folder, { where: { ...same } });
        this.manager.query(\`SELECT id FROM assets WHERE \${BY_ID}\`); } }`;
    expect(unscopedIn('a.ts', code)).toEqual([]);
  });
});
