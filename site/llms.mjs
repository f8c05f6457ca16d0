import { pagesOf } from './navigation.mjs'

/** The list of pages in the form of llmstxt.org. */
export function llmsText(groups) {
  const parts = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${page.url})`)
    return `## ${title}\n\n${lines.join('\n')}`
  })
  return `# Tocsin\n\n> Tells people what happens on chain: an open, self-hostable alerting platform. The whole text of these pages is at /llms-full.txt, the API at /api/openapi.json.\n\n${parts.join('\n\n')}\n`
}

/** The Markdown of all pages. */
export function llmsFullText(groups) {
  return pagesOf(groups)
    .map(({ text }) => text.trim())
    .join('\n\n')
}
