import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const server = 'server/src'

/** Floors of the server from the ground up; a file imports its own floor or a lower one. */
const floors = ['store', 'engine', 'runtime', 'domain', 'api']
/** Files that stand on no floor wire the floors together. */
const isWiring = (place: string) => place.endsWith('.ts')

const files = ['contract/src', 'sdk/src', server].flatMap((folder) => sourcesBelow(join(root, folder)))
const graph = new Map(files.map((file) => [relative(root, file), importsOf(file)]))

test('imports only go down', () => {
  const wrong = edges().filter(([from, to]) => !mayImport(from, to))
  expect(wrong).toEqual([])
})

test('contract imports zod alone, the sdk the contract alone', () => {
  const outside = (folder: string) => packagesOf(folder).filter((name) => !name.startsWith('node:'))
  expect(new Set(outside('contract/src'))).toEqual(new Set(['zod']))
  expect(new Set(outside('sdk/src'))).toEqual(new Set(['@tocsin/contract']))
})

test('a noun never imports another noun', () => {
  const nounOf = (file: string) => /^server\/src\/domain\/([\w-]+)\//.exec(file)?.[1]
  const wrong = edges().filter(([from, to]) => {
    const [here, there] = [nounOf(from), nounOf(to)]
    return here !== undefined && there !== undefined && here !== there && there !== 'images'
  })
  expect(wrong).toEqual([])
})

test('a console page imports no page of another noun, and the service only through the sdk', () => {
  const pages = sourcesBelow(join(root, 'console/src')).map((file) => relative(root, file))
  const nounOf = (file: string) => /^console\/src\/pages\/([\w-]+)\//.exec(file)?.[1]
  const wrong = pages.flatMap((from) =>
    importsOf(join(root, from))
      .map(({ to }) => (to.startsWith('.') ? join(dirname(from), to) : to))
      .filter((to) => isForeignPage(nounOf(from), nounOf(to)) || to.startsWith('server/') || to.startsWith('sdk/'))
      .map((to) => `${from} → ${to}`),
  )
  expect(wrong).toEqual([])
  const isForbiddenCall = (file: string) =>
    /\bfetch\(|XMLHttpRequest|EventSource/.test(readFileSync(join(root, file), 'utf8'))
  expect(pages.filter(isForbiddenCall)).toEqual([])
})

function isForeignPage(here: string | undefined, there: string | undefined): boolean {
  return here !== undefined && there !== undefined && here !== there
}

test('no file imports itself through others', () => {
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) return void cycles.push([...path.slice(at), file])
    if (done.has(file)) return
    for (const next of valueImports(file)) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  expect(cycles).toEqual([])
})

test('the product imports neither vitest nor anything of the tests', () => {
  const product = [...files, ...sourcesBelow(join(root, 'console/src'))]
  const isOfTests = ({ to }: Import) => to === 'vitest' || to.includes('../tests/')
  expect(product.filter((file) => importsOf(file).some(isOfTests)).map((file) => relative(root, file))).toEqual([])
})

test('one place each: SQL in the store, the environment in the configuration', () => {
  const having = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(root, file))
  expect(having(/process\.env/).filter((file) => !/^server\/src\/(main|export|import)\.ts$/.test(file))).toEqual([])
  expect(having(/from 'kysely'|from 'pg'/).filter((file) => !file.startsWith(`${server}/store/`))).toEqual([])
  expect(having(/from 'fastify'/).filter((file) => !file.startsWith(`${server}/api/`))).toEqual([])
})

type Import = { to: string; typeOnly: boolean }

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)].map(
    (match) => ({
      to: match[2] ?? match[3] ?? '',
      typeOnly: match[1] !== undefined,
    }),
  )
}

function edges(): [string, string][] {
  return [...graph].flatMap(([from, imports]) =>
    imports.filter(({ to }) => to.startsWith('.')).map(({ to }): [string, string] => [from, join(dirname(from), to)]),
  )
}

function valueImports(file: string): string[] {
  return (graph.get(file) ?? [])
    .filter(({ to, typeOnly }) => to.startsWith('.') && !typeOnly)
    .map(({ to }) => join(dirname(file), to))
}

function packagesOf(folder: string): string[] {
  return [...graph]
    .filter(([file]) => file.startsWith(folder))
    .flatMap(([, imports]) => imports.map(({ to }) => to).filter((to) => !to.startsWith('.')))
}

function mayImport(from: string, to: string): boolean {
  if (!from.startsWith(server)) return dirname(to).startsWith(from.split('/src')[0] ?? '')
  const [floor = '', target = ''] = [relative(server, from), relative(server, to)].map(
    (path) => path.split('/')[0] ?? '',
  )
  if (isWiring(floor)) return true
  if (isWiring(target)) return false
  return floors.indexOf(target) >= 0 && floors.indexOf(target) <= floors.indexOf(floor)
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}
