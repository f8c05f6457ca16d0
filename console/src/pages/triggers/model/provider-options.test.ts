import { Provider } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { blankRetry, canRetry, hasOptions, withCache, withParts, withUntil } from './provider-options.ts'

const http = { id: 'p1', type: 'http', url: 'https://api.example.org' }

test('a new retry is what the service accepts', () => {
  expect(Provider.safeParse({ ...http, retry: blankRetry }).success).toBe(true)
  expect(['http', 'graphql', 'rpc', 'evm_read'].map((type) => canRetry({ type }))).toEqual([true, true, true, false])
})

test('a change of one part keeps the others, also those that no form shows', () => {
  const retry = { ...blankRetry, until: { path: 'status', equals: null }, later: 1 }
  expect(withParts(retry, { attempts: 2, retryOn: undefined })).toEqual({
    ...{ attempts: 2, delayMs: 1000, backoff: 'exponential' },
    ...{ until: { path: 'status', equals: null }, later: 1 },
  })
  expect(withUntil(retry, { path: 'state' }).until).toEqual({ path: 'state', equals: null })
  expect('until' in withUntil(retry, { path: undefined })).toBe(false)
  expect(withCache({ ttlMs: 1000, key: 'a' }, { ttlMs: 2000 })).toEqual({ ttlMs: 2000, key: 'a' })
  expect(withCache({ ttlMs: 1000, key: 'a' }, { ttlMs: undefined })).toBeUndefined()
  expect([hasOptions(http), hasOptions({ ...http, runIf: 'true' })]).toEqual([false, true])
})
