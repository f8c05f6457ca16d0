import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorTable } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { referencePages } from '../scripts/reference/pages.ts'
import { anchorOf } from '../scripts/reference/schema-section.ts'
import { Environment, ServiceUrls } from '../server/src/config.ts'

const read = (file: string) => readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8')

test('docs/errors.md names every code with its status, and no other', () => {
  const told = [...read('errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(
    ([, status, code]) => `${code} ${status}`,
  )
  const known = Object.entries(errorTable).map(([code, { status }]) => `${code} ${status}`)
  expect(told.toSorted()).toEqual(known.toSorted())
})

test('docs/configuration.md names every variable, and no other', () => {
  const told = [...read('configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name ?? '')
  const known = Object.keys({ ...Environment.shape, ...ServiceUrls.shape })
  expect(told.toSorted()).toEqual(known.toSorted())
})

test('docs/reference holds what `npm run reference` makes, and no other file', async () => {
  const made = await referencePages()
  const kept = readdirSync(new URL('../docs/reference', import.meta.url))
  expect(kept.toSorted()).toEqual([...made.keys()].toSorted())
  for (const [name, text] of made) expect(read(`reference/${name}`), name).toBe(text)
})

test('every link inside the docs leads to a file, and to a heading of it', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const pages = [...globSync('docs/**/*.md', { cwd: folder }), 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  const dead = pages.flatMap((page) => deadLinks(folder, page))
  expect(pages.length).toBeGreaterThan(20)
  expect(dead).toEqual([])
})

function deadLinks(folder: string, page: string): string[] {
  const text = withoutCode(readFileSync(join(folder, page), 'utf8'))
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '')
  return links
    .filter((link) => !/^(https?|mailto):/.test(link) && !isAlive(folder, page, link))
    .map((link) => `${page}: ${link}`)
}

function isAlive(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(folder, page) : join(folder, dirname(page), path)
  if (!existsSync(target)) return false
  return anchor === undefined || headings(readFileSync(target, 'utf8')).has(anchor)
}

function headings(text: string): Set<string> {
  return new Set([...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title ?? '')))
}

/** Code may hold what looks like a link or a heading. A code span in a heading counts as its text. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll('`', '')
}
