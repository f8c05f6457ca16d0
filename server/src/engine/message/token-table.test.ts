import { expect, test } from 'vitest'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Connection } from '../sources/connection.ts'
import { makeTokenTable } from './token-table.ts'

const address = { kind: 'evm' as const, endpoints: ['https://a.example.org'] }
const token = `0x${'ab'.repeat(20)}`

function opened(read: (contract: string) => unknown) {
  const reads: string[] = []
  const connection = async () =>
    ({
      read: async (provider: { contract: string }) => {
        reads.push(provider.contract)
        return read(provider.contract)
      },
    }) as unknown as Connection
  return { reads, source: { address, connection } }
}

test('a token is read once for a source, in any case of its address', async () => {
  const { reads, source } = opened(() => ({ symbol: 'TKN', decimals: 6 }))
  const table = makeTokenTable()
  const tokenOf = await table.load(source, [token, token])
  expect(tokenOf(token.toUpperCase().replace('0X', '0x'))).toEqual({ symbol: 'TKN', decimals: 6 })
  await table.load(source, [token])
  expect(reads).toEqual([token])
  await table.load({ ...source, address: { ...address, endpoints: ['https://b.example.org'] } }, [token])
  expect(reads).toHaveLength(2)
})

test('a token that cannot be read stays unknown, and is read again later', async () => {
  let nowMs = 0
  let error = new UpstreamError('failed', 'down')
  const { reads, source } = opened(() => {
    throw error
  })
  const table = makeTokenTable(() => nowMs)
  expect((await table.load(source, [token]))(token)).toBeUndefined()
  await table.load(source, [token])
  expect(reads).toHaveLength(1)
  nowMs = 15_000
  error = new UpstreamError('bad_answer', 'no token')
  await table.load(source, [token])
  nowMs += 60_000
  await table.load(source, [token])
  expect(reads).toHaveLength(2)
})
