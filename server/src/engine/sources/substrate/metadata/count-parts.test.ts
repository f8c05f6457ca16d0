import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { metadata as codec } from '@polkadot-api/substrate-bindings'
import { expect, test } from 'vitest'
import { sampleMetadata } from '../../../../../../tests/nodes/substrate-metadata.ts'
import { readRuntime } from '../runtime.ts'
import { countParts, partsMax } from './count-parts.ts'
import { describePallets } from './describe-pallets.ts'

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')

/** The elements of all lists, as the library reads them. */
function partsIn(value: unknown): number {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, each) => sum + partsIn(each), 0)
  return inner + (Array.isArray(value) ? value.length : 0)
}

test.each([14, 15, 16] as const)('the parts of metadata of version %i are those that the library reads', (version) => {
  const { dec } = codec
  const hex = sampleMetadata(version)
  // In a pair of an extension's version and its types the library reads a list of two.
  const pairs = version === 16 ? 2 : 0
  expect(countParts(bytesOf(hex))).toBe(partsIn(dec(hex)) - pairs)
})

const published = join(
  dirname(createRequire(import.meta.url).resolve('@polkadot/types-support/package.json')),
  'metadata',
)
const known = ['v14', 'v15', 'v16'].flatMap((version) =>
  readdirSync(join(published, version))
    .filter((name) => name.endsWith('-hex.js'))
    .map((name) => `${version}/${name}`),
)

test.each(known)('the parts of %s are far below the limit', async (name) => {
  const { default: hex }: { default: string } = await import(join(published, name))
  expect(countParts(bytesOf(hex))).toBeLessThan(partsMax / 4)
  const { pallets } = describePallets(await readRuntime(hex, {}))
  const types = pallets.flatMap(({ events, calls }) => [...events, ...calls]).flatMap(({ fields }) => fields)
  expect(pallets.length).toBeGreaterThan(5)
  expect(types.filter(({ type }) => type.includes('…'))).toEqual([])
})

type Def = { tag: string; value: unknown }
const tuple = (...value: number[]): Def => ({ tag: 'tuple', value })

test('metadata of many parts is refused before it is read', async () => {
  const wide = sampleMetadata(14, [tuple(...Array<number>(partsMax).fill(0))])
  await expect(readRuntime(wide, {})).rejects.toThrow('The metadata has more than 100,000 parts.')
})

test('the length of a list is not trusted', () => {
  const endless = Buffer.from('6d6574610efeffffff', 'hex')
  expect(() => countParts(endless)).toThrow()
})

test('metadata of version 16 without extensions of version 0 can be read', async () => {
  const { enc, dec } = codec
  const { metadata, magicNumber } = dec(sampleMetadata(16))
  if (metadata.tag !== 'v16') throw new Error('another version')
  const extrinsic = { ...metadata.value.extrinsic, signedExtensionsByVersion: [[1, []]] as [number, number[]][] }
  const later = enc({ magicNumber, metadata: { tag: 'v16', value: { ...metadata.value, extrinsic } } })
  const runtime = await readRuntime(`0x${Buffer.from(later).toString('hex')}`, {})
  expect(runtime).toMatchObject({ metadataVersion: 16, ss58Prefix: 5 })
  expect(Object.keys(runtime.extrinsic.extensionsByVersion)).toEqual(['1'])
})

/** A pallet with one storage item of the last type, which is made of the ones before it. */
async function storageTypeOf(types: Def[], extra: Record<string, unknown> = {}): Promise<string | undefined> {
  const { enc } = codec
  const item = { name: 'Item', modifier: 0, type: { tag: 'plain', value: types.length - 1 }, fallback: '0x', docs: [] }
  const storage = { prefix: 'P', items: [item] }
  const pallet = { name: 'P', storage, calls: undefined, events: undefined, errors: undefined, constants: [], index: 0 }
  const lookup = types.map((def, id) => ({ id, path: [], params: [], def, docs: [], ...extra }))
  const extrinsic = { type: 0, version: 4, signedExtensions: [] }
  const value = { lookup, pallets: [pallet], extrinsic, type: 0, apis: [] }
  const bytes = enc({ magicNumber: 0x6174656d, metadata: { tag: 'v14', value } } as never)
  const runtime = await readRuntime(`0x${Buffer.from(bytes).toString('hex')}`, { chosen: 42 })
  return describePallets(runtime).pallets[0]?.storage[0]?.type
}

const u8: Def = { tag: 'primitive', value: { tag: 'u8', value: undefined } }

test.each([20, 40, 100, 1_000])('the name of tuples of %i tuples, four times nested, is cut', async (width) => {
  const levels = [0, 1, 2, 3].map((inner) => tuple(...Array<number>(width).fill(inner)))
  const name = await storageTypeOf([u8, ...levels])
  expect(name?.startsWith('((((u8, u8, ')).toBe(true)
  expect(name?.length).toBeLessThanOrEqual(501)
})

test.each([2, 22, 30, 1_000])('a type that names itself %i times has a short name', async (times) => {
  const name = await storageTypeOf([tuple(...Array<number>(times).fill(0))])
  expect(name?.length).toBeLessThanOrEqual(501)
  const params = Array.from({ length: times }, () => ({ name: 'T', type: 0 }))
  const named = await storageTypeOf([tuple()], { path: ['Self'], params })
  expect(named?.startsWith('Self<Self<Self<')).toBe(true)
  expect(named?.length).toBeLessThanOrEqual(501)
})
