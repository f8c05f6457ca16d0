import { expect, test } from 'vitest'
import { issuesOf } from '../../index.ts'
import { Policy, policyOfType, unitOfPolicy } from './index.ts'

const pathsOf = (policy: object) => {
  const read = Policy.safeParse({ value: 'v', ...policy })
  return read.success ? [] : issuesOf(read.error).map(({ path }) => path)
}
const usdc = { amount: '1000', decimals: 6 }
const ofItem = { amount: 1000 }
const ofToken = { amount: '1000.5', token: '{{source.address}}' }

test.each<[object, string[]]>([
  [{ type: 'threshold', below: usdc, until: { amount: '1200', decimals: 6 } }, []],
  [{ type: 'threshold', above: ofItem }, []],
  [{ type: 'threshold', above: ofToken }, []],
  [{ type: 'threshold', above: { amount: '{{inputs.limit}}', decimals: 6 } }, []],
  [{ type: 'change', by: usdc }, []],
  [{ type: 'change', by: '5%' }, []],
  [{ type: 'change', by: { amount: '.5', decimals: 6 } }, []],
  [{ type: 'rate', per: '1h', below: { amount: '+.5', decimals: 6 } }, ['below']],
  [{ type: 'rate', per: '1h', below: { amount: '-5', decimals: 18 } }, []],
  [{ type: 'rate', per: '1h', above: ofItem }, []],
  [{ type: 'sum', within: '1h', above: usdc }, []],
  [{ type: 'sum', within: '1h', above: 0 }, []],
  [{ type: 'threshold', above: { amount: 'many', decimals: 6 } }, ['above']],
  [{ type: 'threshold', above: { amount: '5', decimals: -1 } }, ['above']],
  [{ type: 'threshold', above: { amount: '5%', decimals: 6 } }, ['above']],
  [{ type: 'threshold', above: { amount: '5', unit: 'gwei' } }, ['above']],
  [{ type: 'threshold', below: usdc, until: 1200 }, ['until']],
  [{ type: 'threshold', below: usdc, until: { amount: '900', decimals: 6 } }, ['until']],
  [{ type: 'change', by: { amount: '-5', decimals: 6 } }, ['by']],
  [{ type: 'rate', per: '1h', below: usdc }, ['below']],
  [{ type: 'sum', within: '1h', above: '10%' }, ['above']],
  [{ type: 'sum', within: '1h' }, ['above']],
  [{ type: 'sum', above: 5 }, ['within']],
])('%j is refused at %j', (policy, paths) => expect(pathsOf(policy).map((path) => path.split('.')[0])).toEqual(paths))

test('a policy has one unit: that of its bounds', () => {
  expect(unitOfPolicy({ type: 'threshold', above: usdc })).toEqual({ decimals: 6 })
  expect(unitOfPolicy({ type: 'sum', above: ofItem })).toEqual({ token: '{{source.address}}' })
  expect(unitOfPolicy({ type: 'rate', below: ofToken })).toEqual({ token: '{{source.address}}' })
  expect(unitOfPolicy({ type: 'change', by: '5%' })).toBeUndefined()
  expect(unitOfPolicy(null)).toBeUndefined()
})

test('the words of a policy name the unit', () => {
  const words = (policy: { type: string } & Record<string, unknown>) => policyOfType(policy.type)?.words(policy)
  expect(words({ type: 'sum', value: 'assets', within: '1h', above: usdc, key: 'owner' })).toBe(
    'when the sum of assets within 1 hour per owner is above 1,000 (6 decimals), and when it no longer is',
  )
  expect(words({ type: 'threshold', value: 'v', below: ofItem })).toContain('is below 1,000 tokens')
})
