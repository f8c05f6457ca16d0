import { placeholderPattern } from '../base/placeholders.ts'
import { timeOf } from '../sources/block-at.ts'
import { rulesOfChainRead } from './chain-read.ts'
import { providerRules } from './rules.ts'

/** The search itself is in `sources/`, since every chain answers it in the same way. */
export const blockAt = providerRules('block_at', (provider) => ({
  ...rulesOfChainRead(provider),
  describe: () => ({ time: provider.time, ...(provider.source !== undefined && { source: provider.source }) }),
  check(path) {
    const isKnown = String(provider.time).replaceAll(placeholderPattern, '') === String(provider.time)
    const isTime = !isKnown || timeOf(provider.time) !== undefined
    return isTime ? [] : [{ path: `${path}.time`, message: 'must be an ISO time, milliseconds or a placeholder' }]
  },
}))
