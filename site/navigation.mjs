/** The groups of the navigation, each a folder of `docs/`, with the pages that come first. Other folders come after them. */
const order = [
  {
    folder: 'guide',
    title: 'Guide',
    first: [
      'quickstart',
      'walk',
      'concepts',
      'triggers',
      'conditions',
      'providers',
      'scripts',
      'messages',
      'policies',
      'channels',
      'health',
    ],
  },
  { folder: 'cookbook', title: 'Cookbook', first: ['README'] },
  {
    folder: '',
    title: 'Tools and operation',
    first: ['definitions', 'cli', 'sdk', 'errors', 'security', 'configuration'],
  },
  { folder: 'reference', title: 'Reference', first: ['operations', 'trigger', 'subscription'] },
  { folder: 'decisions', title: 'Decisions', first: ['README'] },
]

/** Eleventy's pages in groups, in the order of the navigation. A page is `{ slug, url, title, text }`. */
export function groupPages(items) {
  const byFolder = Map.groupBy(items.map(toPage), ({ slug }) => folderOf(slug))
  const others = [...byFolder.keys()].filter((name) => !order.some(({ folder }) => folder === name))
  return [...order, ...others.map((name) => ({ folder: name, title: name, first: [] }))].flatMap(
    ({ folder, title, first }) => {
      const pages = byFolder.get(folder)
      return pages ? [{ title, pages: sorted(pages, first) }] : []
    },
  )
}

export function pagesOf(groups) {
  return groups.flatMap(({ pages }) => pages)
}

/** The page at an address, and the pages before and after it. */
export function neighboursOf(groups, url) {
  const pages = pagesOf(groups)
  const at = pages.findIndex((page) => page.url === url)
  return { current: pages[at], previous: pages[at - 1], next: pages[at + 1] }
}

function toPage({ filePathStem, url, rawInput }) {
  const slug = filePathStem.slice(1)
  return { slug, url, title: /^# (.+)$/m.exec(rawInput)?.[1] ?? slug, text: rawInput }
}

function folderOf(slug) {
  return slug.includes('/') ? slug.split('/', 1)[0] : ''
}

function sorted(pages, first) {
  const rank = ({ slug }) => {
    const at = first.indexOf(slug.split('/').at(-1))
    return at < 0 ? first.length : at
  }
  return pages.sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title))
}
