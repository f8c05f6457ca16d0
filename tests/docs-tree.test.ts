import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Documents name server files without `server/src/` and console files without `console/`. */
const bases = ['', 'server/src', 'console', 'console/src']

const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
const otherDocuments = [
  'README.md',
  'docs/cli.md',
  'docs/sdk.md',
  'CHANGELOG.md',
  'docs/definitions.md',
  'docs/operating.md',
  'docs/configuration.md',
  'docs/benchmarks.md',
]
const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/glossary.md', 'docs/states.md', ...decisions]

test.each(documents)('every folder and file that %s names exists', (document) => {
  expect(pathsIn(read(document)).filter((path) => !exists(path))).toEqual([])
})

test('the tree in ARCHITECTURE.md lists every folder of the engine, the runtime and the store', () => {
  const listed = new Set(treeOf(read('ARCHITECTURE.md')))
  const folders = ['engine', 'runtime', 'store'].flatMap((name) => foldersBelow(`server/src/${name}`))
  expect(folders.filter((folder) => !listed.has(folder))).toEqual([])
})

test('every line of the tree in ARCHITECTURE.md names something that exists', () => {
  const tree = treeOf(read('ARCHITECTURE.md'))
  expect(tree.length).toBeGreaterThan(60)
  expect(tree.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the drawn way of a log in ARCHITECTURE.md has numbered steps and enters no file twice', () => {
  const steps = [...read('ARCHITECTURE.md').matchAll(/^├─ +(\d+) (\S+\.ts) /gm)]
  const files = steps.map(([, , file = '']) => file)
  expect(steps.map(([, number]) => Number(number))).toEqual(steps.map((_, at) => at + 1))
  expect(steps.length).toBeGreaterThan(15)
  expect(new Set(files).size).toBe(files.length)
  expect(files.filter((file) => !exists(file))).toEqual([])
})

test('every row of the glossary has one term and one file, named from the root of the repository', () => {
  const rows = read('docs/glossary.md').match(/^\| \*\*.+$/gm) ?? []
  expect(rows.length).toBeGreaterThan(29)
  const isWhole = (row: string) => {
    const [, file] = /^\| \*\*[^*,]+\*\* \|[^|]+\| `([^`]+)` \|$/.exec(row) ?? []
    return file !== undefined && existsSync(join(root, file))
  }
  expect(rows.filter((row) => !isWhole(row))).toEqual([])
})

test.each([...documents, ...otherDocuments])('every link to another document in %s has a target', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  const broken = links.filter(([, file = '', anchor]) => {
    const target = file === '' ? document : join(dirname(document), file)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

/** The anchors that GitHub makes of the headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/**
 * Paths in backticks, outside code blocks, that end in `.ts`, `.tsx` or `/`. Patterns such as `<noun>`, and folder names
 * that the sentence around them puts into another folder (`builder/`), are left out.
 */
function pathsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const names = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
  return names.flatMap(expandBraces).filter((name) => /^[\w.-]+\/[\w./-]*[\w-](\.tsx?|\/)$/.test(name))
}

function exists(path: string): boolean {
  return bases.some((base) => existsSync(join(root, base, path)))
}

/** The paths of the indented tree, which is the code block that has a line `server/src/`. */
function treeOf(text: string): string[] {
  const blocks = text.match(/^```\n[\s\S]*?^```/gm) ?? []
  const tree = blocks.find((block) => /^server\/src\//m.test(block)) ?? ''
  const parents: { indent: number; path: string }[] = []
  return tree.split('\n').flatMap((line) => {
    const [, spaces = '', names = ''] = /^( *)([\w.{},/-]+(?:\/|\.ts))(?: |$)/.exec(line) ?? []
    if (names === '') return []
    while ((parents.at(-1)?.indent ?? -1) >= spaces.length) parents.pop()
    const paths = expandBraces(names).map((name) => join(parents.at(-1)?.path ?? '', name).replace(/\/$/, ''))
    parents.push({ indent: spaces.length, path: paths[0] ?? '' })
    return paths
  })
}

/** `a/{b,c}/` → `a/b/` and `a/c/`. */
function expandBraces(name: string): string[] {
  const [, before = '', inside, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(name) ?? []
  if (inside === undefined) return [name]
  return inside.split(',').flatMap((each) => expandBraces(`${before}${each}${after}`))
}

function foldersBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${folder}/${name}`, ...foldersBelow(`${folder}/${name}`)])
}
