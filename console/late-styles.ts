import type { Plugin } from 'vite'

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Moves the stylesheet links from the head to just before the React root. In the head they block the first paint. Here
 * the browser paints the static frame first. Scripts still wait for the styles, so no page is drawn without them, and the
 * styles that Mantine adds at run time still come after them.
 */
export function lateStyles(): Plugin {
  return {
    name: 'late-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const links = html.match(stylesheet) ?? []
        return html
          .replaceAll(stylesheet, '')
          .replace('<div id="root">', `${links.join('').trim()}\n    <div id="root">`)
      },
    },
  }
}
