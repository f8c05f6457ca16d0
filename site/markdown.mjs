import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Gives markdown-it the rules of our pages: headings get the anchors that GitHub gives them, links to Markdown files lead
 * to their pages, links to the ready monitors to their files, other links out of the folder become text, and wide tables
 * and code can be scrolled by keyboard.
 */
export function addPageRules(markdown, folder) {
  markdown.set({ linkify: true })
  // Only whole addresses become links: many names in our pages look like a host.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  markdown.core.ruler.push('docs', ({ tokens, env }) => {
    const slug = env.page.filePathStem.slice(1)
    setAnchors(tokens)
    for (const token of tokens) adapt(token, slug, folder)
  })
  const { rules } = markdown.renderer
  const { escapeHtml } = markdown.utils
  rules.fence = (tokens, at) =>
    `<div class="code"><pre tabindex="0"><code>${escapeHtml(tokens[at].content)}</code></pre></div>\n`
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  return markdown
}

function adapt(token, slug, folder) {
  // The page's policy allows no inline style, so columns have no alignment.
  if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null
  if (token.type === 'html_block' && token.content.startsWith('<!--')) token.content = ''
  if (!token.children) return
  for (const child of token.children) if (child.type === 'image') adaptImage(child, slug)
  token.children = withoutOutsideLinks(token.children, slug, folder)
}

function adaptImage(image, slug) {
  image.attrSet('src', `/docs/files/${pathFrom(slug, image.attrGet('src'))}`)
  image.attrSet('loading', 'lazy')
}

/** Points each link at its page. A link to a file that is no page loses its signs and keeps its text. */
function withoutOutsideLinks(tokens, slug, folder) {
  let isOutside = false
  return tokens.filter((token) => {
    if (token.type === 'link_close') return !isOutside
    if (token.type !== 'link_open') return true
    const address = addressOf(token.attrGet('href'), slug, folder)
    isOutside = address === undefined
    if (!isOutside) token.attrSet('href', address)
    return !isOutside
  })
}

/** Where a link leads: a page of the site, a part of this page, or another origin. Undefined if it is none of them. */
function addressOf(href, slug, folder) {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path, anchor] = href.split('#', 2)
  const target = pathFrom(slug, path).replace(/\.md$/, '').replace(/\/$/, '')
  if (/^\.\.\/examples\/.*\.json$/.test(target)) return `/docs/files/${target.slice('../'.length)}`
  if (target.startsWith('..')) return undefined
  const known = [target, `${target}/README`].find((each) => existsSync(join(folder, `${each}.md`)))
  return known === undefined ? undefined : `/docs/${known}${anchor === undefined ? '' : `#${anchor}`}`
}

/** A path that a page names, from the folder of all pages. */
function pathFrom(slug, path) {
  return posix.join(posix.dirname(slug), path)
}

/** Equal headings get a number. */
function setAnchors(tokens) {
  const counts = new Map()
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const anchor = anchorOf(textOf(tokens[at + 1]))
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    token.attrSet('id', count === 0 ? anchor : `${anchor}-${count}`)
  }
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** The text of a token without the signs of Markdown. */
export function textOf({ children, content }) {
  if (!children) return content
  return children.map((child) => (/break$/.test(child.type) ? ' ' : textOf(child))).join('')
}
