import { readFileSync } from 'node:fs'
import { llmsFullText, llmsText } from './llms.mjs'
import { addPageRules } from './markdown.mjs'
import { groupPages, neighboursOf, pagesOf } from './navigation.mjs'
import { headingsOf, sectionsOf } from './sections.mjs'

/** The folder with the Markdown files, from the root of the repository. */
const docs = 'docs'
/** The files beside the pages that the site contains too. */
const files = ['**/*.svg', '**/*.png', '**/*.json', '**/*.yaml']

const missingPage = '<h1>There is no such page</h1><p>Search for it above, or choose one from the list of pages.</p>'

/** How Eleventy makes the docs site: one page per Markdown file, the search index and the lists for language models. */
export default function configure(config) {
  let markdown
  config.amendLibrary('md', (library) => {
    markdown = addPageRules(library, docs)
  })
  config.setTemplateFormats(['md', '11ty.js'])
  config.setDataFileSuffixes([])
  config.addPassthroughCopy({ [docs]: 'files' }, { filter: files })
  config.addPassthroughCopy({ examples: 'files/examples' }, { filter: files })
  config.addPassthroughCopy({ 'console/public/bell.svg': 'files/bell.svg', 'site/scripts': '.' })
  config.addPassthroughCopy({ 'server/src/api/reference/scheme.js': 'scheme.js' })

  config.addGlobalData('layout', 'page.njk')
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${page.filePathStem}.html`,
  )
  // The service answers addresses without an ending.
  config.addUrlTransform(({ url }) => `/docs${url.replace(/\.html$/, '')}`)
  config.addCollection('navigation', (all) => groupPages(all.getFilteredByGlob(`${docs}/**/*.md`)))
  config.addFilter('neighbours', neighboursOf)
  config.addFilter('headings', (page) => (page ? headingsOf(markdown, page) : []))

  config.addTemplate(`${docs}/404.11ty.js`, () => missingPage, { permalink: '404.html' })
  const css = ['server/src/api/reference/page.css', 'site/site.css']
  addFile(config, 'site.css', () => css.map((file) => readFileSync(file, 'utf8')).join(''))
  addFile(config, 'search.json', (groups) =>
    JSON.stringify(pagesOf(groups).flatMap((page) => sectionsOf(markdown, page))),
  )
  addFile(config, 'llms.txt', llmsText)
  addFile(config, 'llms-full.txt', llmsFullText)
  // Braces in our pages are placeholders of message templates, so no template language reads the pages.
  return { markdownTemplateEngine: false, dir: { input: docs, includes: '../site/layouts' } }
}

/** Adds a file that is made from the groups of pages. */
function addFile(config, name, make) {
  const content = ({ collections }) => make(collections.navigation)
  config.addTemplate(`${docs}/${name}.11ty.js`, content, { permalink: name, layout: false })
}
