import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { chainDescriptions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { destinations } from '../server/src/engine/destinations/index.ts'

const root = resolve(import.meta.dirname, '..')
const server = 'server/src'

/** What each floor of the server may import beside itself. `domain/` and `runtime/` are the two wings: neither imports the other. */
const below: Readonly<Record<string, readonly string[]>> = {
  api: ['domain', 'engine', 'store', 'metrics'],
  domain: ['engine', 'store'],
  runtime: ['engine', 'store', 'metrics', 'tracing'],
  engine: ['metrics'],
  store: [],
  metrics: [],
  tracing: [],
}

/** The folders of the engine and of the runtime from the ground up: a folder imports those before it. */
const order = {
  engine: [
    ...[
      'base',
      'outbound',
      'abi-services',
      'conditions',
      'match',
      'sources',
      'script',
      'render',
      'message',
      'providers',
      'check',
      'threads',
    ],
    ...['run-trigger', 'fan-out', 'policies', 'destinations', 'follow-core', 'engine.ts'],
  ],
  runtime: [
    ...['listeners', 'jobs', 'deps.ts', 'events', 'follow', 'evaluate', 'deliver', 'telegram'],
    ...['roll-up-counts.ts', 'index.ts'],
  ],
}
/** The loops meet in the store. */
const loops = ['follow', 'evaluate', 'deliver', 'telegram']

const files = ['contract/src', 'sdk/src', 'cli/src', server, 'console/src'].flatMap((folder) =>
  sourcesBelow(join(root, folder)),
)
/** Imports of types count like all others. */
const graph = new Map(files.map((file) => [relative(root, file), importsOf(file)]))

test('imports only go down, and the wings do not import each other', () => {
  const wrong = edges().filter(([from, to]) => !mayImport(from, to))
  expect(wrong).toEqual([])
})

test.each(['engine', 'runtime'] as const)('the folders of %s import only folders before them', (floor) => {
  const folders = order[floor]
  const placeOf = (file: string) => relative(join(server, floor), file).split('/')[0] ?? ''
  const inside = edges().filter(([from, to]) => [from, to].every((file) => file.startsWith(`${server}/${floor}/`)))
  const known = new Set(inside.flat().map(placeOf))
  expect([...known].filter((place) => !folders.includes(place))).toEqual([])
  const wrong = inside.filter(([from, to]) => folders.indexOf(placeOf(to)) > folders.indexOf(placeOf(from)))
  expect(wrong).toEqual([])
})

test('no loop of the runtime imports another', () => {
  const loopOf = (file: string) => loops.find((loop) => file.startsWith(`${server}/runtime/${loop}/`))
  const wrong = edges().filter(([from, to]) => loopOf(from) && loopOf(to) && loopOf(from) !== loopOf(to))
  expect(wrong).toEqual([])
})

test('no file of the product, the scripts or the benchmarks imports itself through others', () => {
  const tools = ['scripts', 'bench'].flatMap((folder) => sourcesBelow(join(root, folder)))
  const all = [...files, ...tools].map((file): [string, string[]] => [relative(root, file), importsOf(file)])
  expect(cyclesOf(edges(new Map(all)))).toEqual([])
})

test.each(['console/src', 'contract/src', `${server}/store`])(
  'no folder of %s imports itself through others',
  (base) => {
    const folderOf = (file: string) => relative(base, file).split('/')[0] ?? ''
    const inside = edges().filter((edge) => edge.every((file) => file.startsWith(`${base}/`)))
    const between = inside.map(([from, to]): [string, string] => [folderOf(from), folderOf(to)])
    expect(cyclesOf(between.filter(([from, to]) => from !== to))).toEqual([])
  },
)

test('folders stay small, and no file of the product looks like a test', () => {
  const folders = Map.groupBy(graph.keys(), (file) => dirname(file))
  // A landed migration stays for ever, so their folder grows without end.
  folders.delete('server/src/store/migrations')
  expect([...folders].filter(([, inside]) => inside.length > 30).map(([folder]) => folder)).toEqual([])
  expect([...graph.keys()].filter((file) => /(?:^|\/)(?:test|[\w-]+-tests)\.tsx?$/.test(file))).toEqual([])
})

test('the product imports neither vitest nor anything of the tests', () => {
  const isOfTests = (to: string) => to === 'vitest' || to.includes('../tests/')
  expect([...graph].filter(([, imports]) => imports.some(isOfTests)).map(([file]) => file)).toEqual([])
})

test('the contract imports only zod, the sdk only the contract', () => {
  const outside = (folder: string) => packagesOf(folder).filter((name) => !name.startsWith('node:'))
  expect(new Set(outside('contract/src'))).toEqual(new Set(['zod']))
  expect(new Set(outside('sdk/src'))).toEqual(new Set(['@tocsin/contract']))
})

test('the command uses the service through the sdk alone', () => {
  const packages = ['@clack/prompts', '@tocsin/contract', '@tocsin/sdk', 'commander', 'yaml', 'zod']
  expect(packagesOf('cli/src').filter((name) => !name.startsWith('node:') && !packages.includes(name))).toEqual([])
})

test('a noun never imports another noun', () => {
  const nounOf = (file: string) => /^server\/src\/domain\/([\w-]+)\//.exec(file)?.[1]
  const wrong = edges().filter(([from, to]) => {
    const [here, there] = [nounOf(from), nounOf(to)]
    return here !== undefined && there !== undefined && here !== there && there !== 'images'
  })
  expect(wrong).toEqual([])
})

test('a channel is named in its own folder alone: the API and the console read its record', () => {
  // Telegram is a bot too, e-mail is also for accounts, and a webhook is what forms and examples begin with.
  const [known, named] = [
    ['email', 'telegram', 'webhook'],
    destinations.map(({ blueprint }) => blueprint.split('.').at(-1)),
  ]
  const names = named.filter((name) => name !== undefined && !known.includes(name))
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'i')
  // The importers read the channels of other tools, and the gallery of parts shows some.
  const free = ['cli/src/import/', `${server}/engine/destinations/`, 'console/src/pages/design/']
  const wrong = [...graph.keys()].filter(
    (file) => !free.some((folder) => file.startsWith(folder)) && pattern.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(names).toContain('discord')
  expect(wrong).toEqual([])
})

test('a console page imports no page of another noun, and the service only through the sdk', () => {
  const pages = [...graph.keys()].filter((file) => file.startsWith('console/src/'))
  const nounOf = (file: string) => /^console\/src\/pages\/([\w-]+)\//.exec(file)?.[1]
  const wrong = edges().filter(([from, to]) => {
    if (!from.startsWith('console/src/')) return false
    const [here, there] = [nounOf(from), nounOf(to)]
    const isForeignPage = here !== undefined && there !== undefined && here !== there
    return isForeignPage || to.startsWith('server/') || to.startsWith('sdk/')
  })
  expect(wrong).toEqual([])
  const isForbiddenCall = (file: string) =>
    /\bfetch\(|XMLHttpRequest|EventSource/.test(readFileSync(join(root, file), 'utf8'))
  expect(pages.filter(isForbiddenCall)).toEqual([])
})

test('one place each: SQL in the store, the environment in the configuration, chains in their folders', () => {
  const having = (pattern: RegExp) =>
    [...graph.keys()].filter(
      (file) => !file.startsWith('console/') && pattern.test(readFileSync(join(root, file), 'utf8')),
    )
  expect(
    having(/process\.env/).filter(
      (file) =>
        !/^(?:server\/src\/(?:main|account|export|import|backup|restore|rotate-key)|cli\/src\/main)\.ts$/.test(file),
    ),
  ).toEqual([])
  expect(having(/from 'kysely'|from 'pg'/).filter((file) => !file.startsWith(`${server}/store/`))).toEqual([])
  expect(having(/from 'fastify'/).filter((file) => !file.startsWith(`${server}/api/`))).toEqual([])
})

test('the folder of a chain is imported only by files named after the chain and by the list of chains', () => {
  const kinds = chainDescriptions.map(({ kind }) => kind).join('|')
  const chainFolder = new RegExp(`^${server}/engine/sources/(${kinds})/`)
  const wrong = edges().filter(([from, to]) => {
    const chain = chainFolder.exec(to)?.[1]
    return chain !== undefined && !isNamedAfter(chain, from) && from !== `${server}/engine/sources/chains.ts`
  })
  expect(wrong).toEqual([])
})

/** Where a chain is named outside its own files, and why. A new chain need not change any of them but the two lists. */
const mayNameChains: Readonly<Record<string, string>> = {
  'contract/src/chains/kinds.ts': 'the lists of kinds and of address types',
  'server/src/engine/sources/chains.ts': 'the list of chains',
  'contract/src/triggers/providers/': 'a provider that reads a chain has its name in its type',
  'server/src/engine/providers/list.ts': 'the list of providers, by their types',
  'contract/src/openapi/examples/': 'examples of the API reference',
  'cli/src/import/': 'tools that people come from, each for chains of its own',
  'contract/src/custom-sources.ts': 'the settings `substrate` of a source',
  'contract/src/file-schemas/words.ts': 'the settings `substrate` of a source',
  'server/src/domain/custom-sources/': 'the settings `substrate` of a source',
  'server/src/engine/sources/resolve-source.ts': 'the settings `substrate` of a source',
  'server/src/engine/sources/substrate/metadata/describe-pallets.ts':
    'a Substrate chain may have accounts of EVM chains',
  'server/src/store/core/tables/sources.ts': 'the settings `substrate` of a source',
  'server/src/store/following/custom-sources.ts': 'the settings `substrate` of a source',
  'server/src/store/projects/quotas.ts': 'the settings `substrate` of a source',
  'console/src/pages/custom-sources/source-values.ts': 'the settings `substrate` of a source',
  'console/src/layouts/watch/network-icons.ts': 'names of networks, not of chains',
  'console/src/pages/design/design.tsx': 'samples of the looks',
}

test('a chain is named as a string or a key only in files named after it, and where the list above says why', () => {
  const naming = [...graph.keys()].filter((file) => namedIn(file).length > 0)
  const isAllowed = (file: string) => Object.keys(mayNameChains).some((place) => file.startsWith(place))
  expect(naming.filter((file) => !isAllowed(file))).toEqual([])
  expect(Object.keys(mayNameChains).filter((place) => !naming.some((file) => file.startsWith(place)))).toEqual([])
})

/** The chains that a file names as `'evm'`, `'evm_log'` or `evm:`, if it is not named after them. Comments do not count. */
function namedIn(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\/\*\*.*|\*.*|\/\/.*)$/gm, '')
  return chainDescriptions
    .filter(({ kind }) => !isNamedAfter(kind, file))
    .filter(({ kind, title }) =>
      new RegExp(`(['"\`])(?:${kind}(?:[_-]\\w+)*|${title})\\1|(?:^\\s*|[{,]\\s*)${kind}(?:_\\w+)?:`, 'm').test(code),
    )
    .map(({ kind }) => kind)
}

/** `evm/…`, `evm.ts` or `evm-contract.ts` */
function isNamedAfter(chain: string, file: string): boolean {
  return new RegExp(`/${chain}(?:[/-]|\\.tsx?$)`).test(file)
}

/** Every way back to the beginning that a walk along the edges finds. */
function cyclesOf(edges: readonly [string, string][]): string[][] {
  const next = Map.groupBy(edges, ([from]) => from)
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (at: string, path: string[]): void => {
    const seenAt = path.indexOf(at)
    if (seenAt >= 0) return void cycles.push([...path.slice(seenAt), at])
    if (done.has(at)) return
    for (const [, to] of next.get(at) ?? []) walk(to, [...path, at])
    done.add(at)
  }
  for (const from of next.keys()) walk(from, [])
  return cycles
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
}

function edges(files = graph): [string, string][] {
  return [...files].flatMap(([from, imports]) =>
    imports.filter((to) => to.startsWith('.')).map((to): [string, string] => [from, join(dirname(from), to)]),
  )
}

function packagesOf(folder: string): string[] {
  return [...graph]
    .filter(([file]) => file.startsWith(folder))
    .flatMap(([, imports]) => imports.filter((to) => !to.startsWith('.')))
}

function mayImport(from: string, to: string): boolean {
  if (!from.startsWith(`${server}/`)) return dirname(to).startsWith(from.split('/src')[0] ?? '')
  const [here = '', there = ''] = [from, to].map((file) => relative(server, file).split('/')[0])
  // Files that stand on no floor wire the floors together.
  if (here.endsWith('.ts')) return true
  return here === there || (below[here]?.includes(there) ?? false)
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
