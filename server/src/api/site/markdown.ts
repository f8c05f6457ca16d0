import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escaped } from '../reference/html.ts'
import type { DocsPage } from './pages.ts'

/** A page as HTML. Links to other pages lead to their place in the site; links out of `docs/` are shown as text. */
export function renderPage(page: DocsPage, slugs: ReadonlySet<string>): string {
  const anchors = makeAnchors()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchors(text)
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = addressOf(href, page.slug, slugs)
        const inner = this.parser.parseInline(tokens)
        return target === undefined ? inner : `<a href="${escaped(target)}">${inner}</a>`
      },
      image: ({ href, text }) =>
        `<img src="/docs/files/${escaped(pathFrom(page.slug, href))}" alt="${escaped(text)}" loading="lazy">`,
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table({ header, rows }: Tokens.Table) {
        const line = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((row) => line(row, 'td')).join('')
        return `<div class="table" tabindex="0"><table><thead>${line(header, 'th')}</thead><tbody>${body}</tbody></table></div>`
      },
      // Our pages have HTML for pictures with a light and a dark form. The policy of the page allows no script in it.
      html: ({ text }) => (text.startsWith('<!--') ? '' : withFiles(text, page.slug)),
    },
  })
  return String(marked.parse(page.text))
}

/** Points the pictures in HTML at the files of `docs/`. */
function withFiles(html: string, slug: string): string {
  return html.replace(
    /\b(src|srcset)="(?!https?:|\/)([^"]+)"/g,
    (_, name, path) => `${name}="/docs/files/${pathFrom(slug, path)}"`,
  )
}

/** Where a link leads: a page of the site, a part of this page, or another origin. */
function addressOf(href: string, slug: string, slugs: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#', 2)
  const target = pathFrom(slug, path).replace(/\.md$/, '').replace(/\/$/, '/README')
  const known = [target, `${target}/README`, `${target}/index`].find((each) => slugs.has(each))
  return known === undefined ? undefined : `/docs/${known}${anchor === undefined ? '' : `#${anchor}`}`
}

/** A path that a page names, from the folder `docs/`. */
function pathFrom(slug: string, path: string): string {
  return posix.join(posix.dirname(slug), path)
}

export type Section = { anchor: string; title: string; text: string }

/** The sections of a page as plain text, for the search. */
export function sectionsOf({ text, title }: DocsPage): Section[] {
  const anchors = makeAnchors()
  const sections: Section[] = [{ anchor: '', title, text: '' }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^#+ (.+)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ anchor: anchors(heading), title: plain(heading), text: '' })
    const last = sections.at(-1)
    if (heading === undefined && last) last.text += `${plain(line)} `
  }
  return sections.filter((section) => section.text.trim() !== '')
}

/** Gives headings the anchors that GitHub gives them: equal ones get a number. */
function makeAnchors(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const anchor = plain(heading)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

/** Text without the signs of Markdown. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
