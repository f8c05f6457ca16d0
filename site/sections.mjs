import { textOf } from './markdown.mjs'

/** The sections of a page as plain text, for the search: one per heading, and one for the text before the first. */
export function sectionsOf(markdown, { slug, title, text }) {
  const tokens = parse(markdown, slug, text)
  const sections = [{ page: title, slug, anchor: '', title, text: '' }]
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[at + 1])
      sections.push({ page: title, slug, anchor: token.attrGet('id'), title: heading, text: '' })
    } else if (hasText(token) && tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1).text += `${textOf(token).replace(/\s+/g, ' ').trim()} `
    }
  }
  return sections.filter((section) => section.text.trim() !== '')
}

/** The headings below the title, for the list of contents beside a page. */
export function headingsOf(markdown, { slug, text }) {
  const tokens = parse(markdown, slug, text)
  return tokens.flatMap((token, at) => {
    const isListed = token.type === 'heading_open' && token.tag === 'h2'
    return isListed ? [{ anchor: token.attrGet('id'), title: textOf(tokens[at + 1]) }] : []
  })
}

function parse(markdown, slug, text) {
  return markdown.parse(text, { page: { filePathStem: `/${slug}` } })
}

function hasText({ type }) {
  return type === 'inline' || type === 'fence'
}
