import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const PAGES = globSync(['*.md', 'docs/*.md', 'bench/*.md', 'packages/*/*.md', 'src/openapi/*.md'], {
  cwd: ROOT,
}).filter((page) => page !== 'THIRD_PARTY_NOTICES.md');
const FOR_USERS = PAGES.filter(
  (page) => page === 'README.md' || /^docs\/(?!architecture|decisions)/.test(page),
);
const FILES = globSync('{src,test,scripts,web,packages,bench,deploy}/**/*.*', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
});

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The first group of each match, once, with the page that contains it. */
function found(pages: readonly string[], pattern: RegExp) {
  const names = pages.flatMap((page) =>
    [...new Set([...read(page).matchAll(pattern)].map(([, name]) => name!))].map((name) => ({ page, name })),
  );
  expect(names.length).toBeGreaterThan(5);
  return names;
}

const anchorsIn = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

function leadsSomewhere({ page, name }: { page: string; name: string }): boolean {
  const [path, anchor] = name.split('#') as [string, string?];
  const target = path === '' ? page : join(dirname(page), path);
  return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsIn(target).includes(anchor));
}

/** By their whole path, or by the end of it. */
const exists = ({ page, name }: { page: string; name: string }): boolean =>
  existsSync(join(ROOT, name)) ||
  existsSync(join(ROOT, dirname(page), name)) ||
  FILES.some((file) => `/${file}`.endsWith(`/${name}`));

describe('The documents', () => {
  it('link to pages and headings that exist', () => {
    const links = found(PAGES, /\]\((?!https?:)([^)\s]+)\)/g);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  it('name files that exist', () => {
    const paths = found(
      PAGES,
      /(?<![\w/.-])((?:src|test|scripts|web|docs|packages|bench|deploy)\/[\w./-]*\w)(?=[`\s),:;]|$)/gm,
    );
    const files = found(PAGES, /`(\w[\w./-]*\.(?:tsx?|mjs|cjs|mts|json|yml|sql|md))`/g);
    expect([...paths, ...files].filter((file) => !exists(file))).toEqual([]);
  });

  it('name scripts and commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const run = found(PAGES, /\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g);
    expect(run.filter(({ name }) => !(name in scripts))).toEqual([]);
    const cli = read('src/cli/main.ts');
    const commands = found(PAGES, /\bnpm run cli -- ([\w:-]+)/g);
    expect(commands.filter(({ name }) => !new RegExp(`^  '?${name}'?: \\{`, 'm').test(cli))).toEqual([]);
  });

  it('name classes that exist', () => {
    const sources = FILES.filter((file) => /^(src|test|web\/src)\/.*\.(tsx?|mjs)$/.test(file))
      .map(read)
      .join('\n');
    const classes = found(['docs/architecture.md', 'CONTRIBUTING.md'], /`([A-Z][a-z]+[A-Z]\w*)`/g);
    expect(classes.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });

  it('name settings that exist', () => {
    const example = read('.env.example');
    const settings = found(FOR_USERS, /`([A-Z]{3,}(?:_[A-Z]+)+)(?:=[^`]*)?`/g);
    expect(settings.filter(({ name }) => !example.includes(`#${name}=`))).toEqual([]);
  });

  it('contain JSON that can be parsed', () => {
    for (const { name } of found(FOR_USERS, /^```(\w+)$/gm)) expect(name).toMatch(/^(sh|json|html)$/);
    for (const page of FOR_USERS)
      for (const [, json] of read(page).matchAll(/^```json\n(.*?)^```/gms))
        expect(JSON.parse(json!)).toBeDefined();
  });
});
