import type { Plugin } from 'vite'

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Moves the links of stylesheets from the head to where React's part of the page begins. In the head they keep a browser
 * from painting anything; here it paints the frame above them. Scripts still wait for them, so no page is drawn without
 * its styles, and the styles that Mantine writes at run time come after them, as they have to.
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
