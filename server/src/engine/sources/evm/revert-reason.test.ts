import { encodeErrorResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { RpcError } from '../rpc-pool/index.ts'
import { revertReason } from './revert-reason.ts'

const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['too late'] })

test.each([data, { data }, { data: { data } }])('the reason of a revert is found in what clients answer', (sent) => {
  expect(revertReason(new RpcError(-32000, 'failed', sent), [])).toBe('too late')
})

test('data inside objects without end is no data', () => {
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => ({ data: inner }), data)
  expect(revertReason(new RpcError(3, 'host answered: reverted: why', deep), [])).toBe('why')
})
