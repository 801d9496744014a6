import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

type Texts = { [key: string]: string | Texts };

/** Compiles the ICU messages of the catalogue, so that the browser does not need a parser for them. */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/i18n\/[a-z]+\/[a-z]+\.json$/ },
      handler: (code) => JSON.stringify(compiled(JSON.parse(code) as Texts)),
    },
  };
}

function compiled(texts: Texts): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compile(text) : compiled(text),
    ]),
  );
}
