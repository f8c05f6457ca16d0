import { expect, test } from 'vitest'
import { explorerLink } from './explorer-link.ts'

test('an explorer keeps its path and its query', () => {
  expect(explorerLink('https://etherscan.io', '0xaa')).toBe('https://etherscan.io/address/0xaa')
  expect(explorerLink('https://x.org/dev/?cluster=test', 'A')).toBe('https://x.org/dev/address/A?cluster=test')
  expect(explorerLink('https://x.org/?cluster=test', 'T', 'tx')).toBe('https://x.org/tx/T?cluster=test')
  expect(explorerLink(undefined, '0xaa')).toBeUndefined()
})
