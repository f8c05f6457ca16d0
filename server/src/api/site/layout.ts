import { escaped } from '../reference/html.ts'
import type { DocsGroup, DocsPage } from './pages.ts'

/** The frame of a page: navigation, search, content, and links to the pages before and after it. */
export function pageHtml(page: DocsPage, content: string, groups: DocsGroup[]): string {
  const pages = groups.flatMap((group) => group.pages)
  const at = pages.indexOf(page)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(page.title)} · Tocsin docs</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs/site.css">
<script src="/docs/site.js" defer></script></head><body><a class="skip" href="#content">Skip to the content</a>
<header><a class="home" href="/docs">Tocsin docs</a><search><label for="search">Search</label><input id="search" type="search" autocomplete="off"><ul id="hits" hidden></ul></search>
<a href="/api/docs">API reference</a><a href="/">Console</a></header>
<nav aria-label="Pages">${groups.map((group) => groupHtml(group, page)).join('')}</nav>
<main id="content">${content}<nav class="around" aria-label="Next and previous page">${linkHtml('Previous', pages[at - 1])}${linkHtml('Next', pages[at + 1])}</nav></main></body></html>`
}

function groupHtml({ title, pages }: DocsGroup, current: DocsPage): string {
  const links = pages.map(
    (page) =>
      `<a href="/docs/${page.slug}"${page === current ? ' aria-current="page"' : ''}>${escaped(page.title)}</a>`,
  )
  return `<details${pages.includes(current) ? ' open' : ''}><summary>${escaped(title)}</summary>${links.join('')}</details>`
}

function linkHtml(word: string, page: DocsPage | undefined): string {
  return page ? `<a href="/docs/${page.slug}">${word}: ${escaped(page.title)}</a>` : ''
}
