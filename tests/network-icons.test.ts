import { expect, test } from 'vitest'
import { networkIcon } from '../console/src/layouts/watch/network-icons.ts'
import { sharedHarness } from './harness/index.ts'

test('the built-in networks have icons that come with the console', async () => {
  const house = await sharedHarness()
  const ann = await house.person('ann')
  const networks = await ann.listRuntimeSources({ query: {} })
  const without = networks.filter(
    ({ fullname, network }) => fullname.startsWith('common.') && networkIcon(network) === undefined,
  )
  // The set of icons has none of Kusama, so its mark is a letter.
  expect(without.map(({ fullname }) => fullname)).toEqual(['common.asset-hub-kusama', 'common.kusama'])
  expect(networkIcon('eip155:1')).toBe(networkIcon('ethereum'))
  expect(networkIcon('eip155:31337')).toBeUndefined()
})
