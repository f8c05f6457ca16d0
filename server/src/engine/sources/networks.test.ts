import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadNetworks } from './networks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tocsin-networks-'))
afterAll(() => rmSync(folder, { recursive: true }))
const startedAt = new Date('2030-01-01T00:00:00.000Z')

function fileOf(content: unknown): string {
  const file = join(folder, 'sources.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('the built-in networks are listed in order, without endpoints, since the start', () => {
  const networks = loadNetworks(undefined, startedAt)
  const names = networks.map(({ fullname }) => fullname)
  expect(names).toEqual([...names].sort())
  expect(names).toEqual(expect.arrayContaining(['common.ethereum', 'common.polkadot', 'common.solana']))
  for (const network of networks) {
    expect(network).toMatchObject({ endpoints: [], updatedAt: startedAt })
    expect(network).toMatchObject({ networkName: network.title, explorer: {}, nativeCurrency: {} })
  }
})

test('a file adds endpoints to built-in networks and adds other networks, since the time of the file', () => {
  const file = fileOf({
    'common.ethereum': { endpoints: ['https://a.example.org/key', 'wss://b.example.org'] },
    'common.mine': {
      title: 'Mine',
      kind: 'substrate',
      endpoints: ['ws://127.0.0.1:9944'],
      explorer: { url: 'https://scan.example.org' },
    },
    'common.base': { title: 'Our Base', verify: 'receipts' },
  })
  const networks = new Map(loadNetworks(file, startedAt).map((network) => [network.fullname, network]))
  const updatedAt = statSync(file).mtime
  const endpoints = ['https://a.example.org/key', 'wss://b.example.org']
  expect(networks.get('common.ethereum')).toEqual({
    fullname: 'common.ethereum',
    title: 'Ethereum',
    kind: 'evm',
    networkName: 'Ethereum',
    explorer: { name: 'Etherscan', url: 'https://etherscan.io' },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    endpoints,
    updatedAt,
  })
  const explorer = { url: 'https://scan.example.org' }
  expect(networks.get('common.mine')).toMatchObject({ title: 'Mine', kind: 'substrate', explorer, updatedAt })
  expect(networks.get('common.base')).toMatchObject({
    title: 'Our Base',
    kind: 'evm',
    endpoints: [],
    verify: 'receipts',
  })
  expect(networks.get('common.solana')).toMatchObject({ updatedAt: startedAt })
})

test('the example in the documentation is a valid file', () => {
  const networks = loadNetworks(join(import.meta.dirname, '../../../../docs/sources.example.json'))
  expect(networks.find(({ fullname }) => fullname === 'common.my-chain')).toMatchObject({ kind: 'evm' })
})

test.each([
  ['{', /JSON/],
  [[], /JSON object/],
  [{ ethereum: {} }, /"ethereum"/],
  [{ 'common.A': {} }, /"common.A"/],
  [{ 'common.a.b': {} }, /"common.a.b"/],
  [{ 'common.new': {} }, /"common.new.kind"/],
  [{ 'common.ethereum': { kind: 'solana' } }, /"common.ethereum.kind"/],
  [{ 'common.ethereum': { endpoints: ['https://ok.example.org', 'nowhere'] } }, /"common.ethereum.endpoints.1"/],
  [{ 'common.ethereum': { endpoint: 'https://x.example.org' } }, /"common.ethereum".*endpoint/],
  [{ 'common.ethereum': { verify: 'no' } }, /"common.ethereum.verify"/],
  [{ 'common.ethereum': { explorer: { url: 'ftp://x' } } }, /"common.ethereum.explorer.url"/],
  [{ 'common.ethereum': null }, /"common.ethereum"/],
])('%j is refused with the file and key named', (content, message) => {
  const file = fileOf(content)
  expect(() => loadNetworks(file)).toThrow(message)
  expect(() => loadNetworks(file)).toThrow(file)
})

test('a missing file is refused with its name', () => {
  expect(() => loadNetworks(join(folder, 'absent.json'))).toThrow('absent.json')
})
