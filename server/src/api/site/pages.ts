import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const docsFolder = fileURLToPath(new URL('../../../../docs', import.meta.url))

/** One Markdown file of `docs/`. `slug` is its path without the ending, such as `reference/trigger`. */
export type DocsPage = { slug: string; title: string; text: string }
export type DocsGroup = { title: string; pages: DocsPage[] }

/** The groups of the navigation, each a folder of `docs/`, with the pages that come first. Other folders come after them. */
const order: { folder: string; title: string; first: string[] }[] = [
  {
    folder: 'guide',
    title: 'Guide',
    first: [
      'quickstart',
      'concepts',
      'triggers',
      'conditions',
      'providers',
      'scripts',
      'messages',
      'policies',
      'channels',
    ],
  },
  { folder: 'cookbook', title: 'Cookbook', first: ['README', 'index'] },
  {
    folder: '',
    title: 'Tools and operation',
    first: ['definitions', 'cli', 'sdk', 'errors', 'security', 'configuration'],
  },
  { folder: 'reference', title: 'Reference', first: ['operations', 'trigger', 'subscription'] },
  { folder: 'decisions', title: 'Decisions', first: ['README'] },
]

/** The pages in groups, in the order of the navigation. */
export function readPages(folder: string = docsFolder): DocsGroup[] {
  const byFolder = Map.groupBy(existsSync(folder) ? readAll(folder) : [], ({ slug }) => folderOf(slug))
  const others = [...byFolder.keys()].filter((name) => !order.some((each) => each.folder === name))
  return [...order, ...others.map((name) => ({ folder: name, title: name, first: [] }))].flatMap((group) => {
    const pages = byFolder.get(group.folder)
    return pages ? [{ title: group.title, pages: sorted(pages, group.first) }] : []
  })
}

function folderOf(slug: string): string {
  return slug.includes('/') ? (slug.split('/', 1)[0] ?? '') : ''
}

function readAll(folder: string): DocsPage[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || !entry.name.endsWith('.md')) return []
    const file = join(entry.parentPath, entry.name)
    const slug = relative(folder, file).split(sep).join('/').replace(/\.md$/, '')
    const text = readFileSync(file, 'utf8')
    return [{ slug, title: /^# (.+)$/m.exec(text)?.[1] ?? slug, text }]
  })
}

function sorted(pages: DocsPage[], first: string[]): DocsPage[] {
  const rank = ({ slug }: DocsPage) => {
    const at = first.indexOf(slug.split('/').at(-1) ?? '')
    return at < 0 ? first.length : at
  }
  return pages.sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title))
}

/** A picture or another file that a page shows, by its path below `docs/`. */
export function readDocsFile(path: string, folder: string = docsFolder): Buffer | undefined {
  const file = join(folder, path)
  return file.startsWith(folder + sep) && existsSync(file) ? readFileSync(file) : undefined
}
