import type { Plugin } from 'vite';

/**
 * React Aria adds a style element for its pressable elements unless one with this id exists. Our policy forbids style
 * elements, so our stylesheet has that id and contains the rule (see ui/tokens.css).
 */
export function pressableStyleId(): Plugin {
  return {
    name: 'pressable-style-id',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace('<link rel="stylesheet"', '<link id="react-aria-pressable-style" rel="stylesheet"'),
    },
  };
}
